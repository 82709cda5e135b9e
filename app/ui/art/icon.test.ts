import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as library from 'lucide-react';
import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { iconFiles } from '../../../scripts/lib/icon-imports.mjs';
import createIcon from './icon.ts';

const files = iconFiles(readFileSync('node_modules/lucide-react/dist/esm/lucide-react.mjs', 'utf8'));

/** The names of all icons that the app imports. */
function importedIcons(): string[] {
  const names = readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .flatMap((name) => [
      ...readFileSync(path.join('app', name), 'utf8').matchAll(/import \{([^}]*)\} from 'lucide-react';/g),
    ])
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().replace(/ as \w+$/, ''))
    .filter((name) => name !== '' && !name.startsWith('type '));
  return [...new Set(names)];
}

it('browsers create each icon of the app as the server does', async () => {
  const icons = importedIcons();
  expect(icons.length).toBeGreaterThan(60);
  for (const name of icons) {
    const Theirs = (library as unknown as Record<string, ComponentType<object>>)[name];
    if (!Theirs) throw new Error(`${name} is no icon`);
    const file = path.resolve(`node_modules/lucide-react/dist/esm/icons/${files.get(name)}.mjs`);
    const { __iconData } = (await import(file)) as { __iconData: Parameters<typeof createIcon>[0] };
    const Ours = createIcon(__iconData) as ComponentType<object>;
    for (const properties of [
      {},
      { 'aria-hidden': 'true', className: 'size-5 text-quiet' },
      { role: 'img', 'aria-label': 'A name' },
      { strokeWidth: 3, style: { opacity: 0.5 } },
    ])
      expect(renderToStaticMarkup(createElement(Ours, properties)), name).toBe(
        renderToStaticMarkup(createElement(Theirs, properties)),
      );
  }
});
