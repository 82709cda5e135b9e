import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { AREAS } from '../vite.config.ts';

/** All strings that a pattern of groups, alternatives and escaped characters matches. */
function expand(pattern: string): string[] {
  let at = 0;
  const alternatives = (): string[] => {
    const found: string[] = [];
    for (let texts = ['']; ; ) {
      const char = pattern[at++];
      if (char === '(') {
        const parts = alternatives();
        texts = texts.flatMap((text) => parts.map((part) => text + part));
      } else if (char === '|' || char === ')' || char === undefined) {
        found.push(...texts);
        texts = [''];
        if (char !== '|') return found;
      } else {
        const literal = char === '\\' ? pattern[at++] : char;
        texts = texts.map((text) => text + literal);
      }
    }
  };
  return alternatives();
}

it('the test expands a pattern into all paths that it matches', () => {
  expect(expand(String.raw`\/(a\/(b|c)|d)\.`)).toEqual(['/a/b.', '/a/c.', '/d.']);
});

it('every path of an area exists, so that no renamed file drops out of its bundle', () => {
  const files = globSync(['{app,contract}/**/*.{ts,tsx}', 'node_modules/lucide-react/dist/esm/icons/*.mjs']);
  const names = AREAS.flatMap(([area, modules]) => expand(modules.source).map((name) => [area, name] as const));
  expect(names.length).toBeGreaterThan(80);
  const missing = names.filter(([, name]) => !files.some((file) => `/${file}`.startsWith(name)));
  expect(missing).toEqual([]);
});
