import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BUILD_INPUTS } from './bootstrap.mjs';

it('every folder that the program imports from is checked before a build is skipped', () => {
  const { imports } = JSON.parse(readFileSync('package.json', 'utf8')) as { imports: Record<string, string> };
  const folders = Object.entries(imports)
    .filter(([alias]) => alias !== '#tests/*')
    .map(([, folder]) => folder.replace(/^\.\/|\/\*$/g, ''));
  expect(folders.length).toBeGreaterThan(2);
  expect(BUILD_INPUTS).toEqual(expect.arrayContaining(folders));
  expect(BUILD_INPUTS.filter((entry) => !existsSync(entry))).toEqual([]);
});
