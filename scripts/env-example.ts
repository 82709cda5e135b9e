// `npm run env-example`: writes .env.example from the schema in server/env-schema.ts. With `--check` it changes nothing and reports
// whether the file still follows from the schema; `npm run check` does that.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Variable, variables } from '#server/env-schema.ts';

export const FILE = '.env.example';

const HEAD = `# Every variable of the site, each with its default. Written by \`npm run env-example\` from server/env-schema.ts: do not edit.
# All are optional. An empty value counts as not set. docs/operating.md says more about each; the signer's variables are in
# docs/chains.md: the site does not start with one of a key or seed among them.
`;

/** The whole text of .env.example: every variable with its meaning, commented out. */
export function envExample(all: readonly Variable[]): string {
  // A value with other characters is quoted, so that a shell, systemd and Compose read the same.
  const written = (value: string) => (/^[\w./:@-]*$/.test(value) ? value : `'${value}'`);
  return `${HEAD}${all.map(({ name, meaning, defaultValue }) => `\n# ${meaning}\n#${name}=${written(defaultValue ?? '')}\n`).join('')}`;
}

/** Names of variables whose lines differ between the file and the schema, or of the text around them. */
export function differences(file: string, all: readonly Variable[]): string[] {
  const blocks = (text: string) => new Set(text.split('\n\n').map((block) => block.trim()));
  const [has, should] = [blocks(file), blocks(envExample(all))];
  const either = [...has, ...should].filter((block) => !has.has(block) || !should.has(block));
  const apart = either.map((block) => /^#?([A-Z][A-Z0-9_]*)=/m.exec(block)?.[1] ?? 'text');
  if (apart.length > 0) return [...new Set(apart)].sort();
  return file === envExample(all) ? [] : ['order'];
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  if (values.check) {
    const wrong = differences(existsSync(FILE) ? readFileSync(FILE, 'utf8') : '', variables());
    if (wrong.length > 0) {
      console.log(`${FILE} is not up to date with server/env-schema.ts (${wrong.join(', ')}): npm run env-example`);
      process.exitCode = 1;
    }
  } else {
    writeFileSync(FILE, envExample(variables()));
  }
}
