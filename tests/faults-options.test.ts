import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

it('npm run faults knows the options of its page and refuses wrong values', () => {
  const main = path.resolve(import.meta.dirname, '../faults/main.ts');
  const run = (...options: string[]) => spawnSync(process.execPath, [main, ...options], { encoding: 'utf8' });
  // All options are known, so the wrong value is reported.
  const wrong = run('--short', '--write', '--only', 'kill', '--repetitions', 'often');
  const [why, ...usage] = wrong.stderr.split('\n');
  expect([wrong.status, why]).toEqual([2, '--repetitions needs a number']);
  const optionsIn = (text: string) => [...new Set(text.match(/--[a-z]+/g))].sort();
  const page = readFileSync(path.resolve(import.meta.dirname, '../docs/faults.md'), 'utf8');
  expect(optionsIn(page)).toEqual(['--only', '--repetitions', '--short', '--write']);
  expect(optionsIn(usage.join('\n'))).toEqual(optionsIn(page));
  // What its example names exists, so the repeated option is reported.
  const example =
    page
      .split('npm run faults -- ')
      .find((part) => part.startsWith('--only'))
      ?.split('\n')[0]
      ?.split(' ') ?? [];
  expect(example).toContain('--only');
  expect(run(...example, '--repetitions', 'often').stderr.split('\n')[0]).toBe('--repetitions needs a number');
  expect(run('--only', 'nothing', '--repetitions', '3').stderr).toContain('no such fault: nothing');
});
