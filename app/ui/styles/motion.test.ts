import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const APP = path.resolve('app');
/** Tailwind utilities with endless animations; `animate-spin` is allowed, as a sign that something is busy. */
const ENDLESS = /animate-(pulse|bounce|ping)\b/;

it('only a busy indicator has an endless animation [WCAG 2.2.2]', () => {
  const found: string[] = [];
  for (const file of readdirSync(APP, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(css|tsx)$/.test(file)) continue;
    for (const line of readFileSync(path.join(APP, file), 'utf8').split('\n'))
      if (ENDLESS.test(line) || (/animation[^;]*\binfinite\b/.test(line) && !line.includes('spin 700ms')))
        found.push(`${file}: ${line.trim()}`);
  }
  expect(found).toEqual([]);
});
