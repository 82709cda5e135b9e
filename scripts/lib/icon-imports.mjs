const IMPORT = /import \{([^}]*)\} from 'lucide-react';/g;
const EXPORT = /^export \{ (.*) \} from '\.\/icons\/([\w-]+)\.mjs';$/gm;

/**
 * The file of each icon, by the names under which the library exports it.
 *
 * @param {string} barrel source of the library's module that exports all icons
 * @returns {Map<string, string>}
 * @throws when it exports none: another release of the library is written differently.
 */
export function iconFiles(barrel) {
  const files = [...barrel.matchAll(EXPORT)].flatMap(([, names = '', file = '']) =>
    [...names.matchAll(/default as (\w+)/g)].map(([, name = '']) => /** @type {const} */ ([name, file])),
  );
  if (files.length === 0) throw new Error('The icons do not exist any more: update scripts/lib/icon-imports.mjs');
  return new Map(files);
}

/**
 * A module that imports each icon from its own file. Through the module of all icons the bundler can't know which pages need one.
 *
 * @param {string} code TypeScript
 * @param {ReadonlyMap<string, string>} files as from iconFiles
 */
export function withIconFiles(code, files) {
  return code.replace(IMPORT, (_, names) =>
    String(names)
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => {
        const file = files.get(name.replace(/ as \w+$/, ''));
        return file === undefined
          ? `import { ${name} } from 'lucide-react';`
          : `import ${name.replace(/^\w+ as /, '')} from 'lucide-react/icons/${file}';`;
      })
      .join(' '),
  );
}
