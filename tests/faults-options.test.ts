import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

it('npm run faults knows its options and refuses wrong values', () => {
  const main = path.resolve(import.meta.dirname, '../faults/main.ts');
  const run = (...options: string[]) => spawnSync(process.execPath, [main, ...options], { encoding: 'utf8' });
  // All options are known, so the wrong value is reported.
  const wrong = run('--short', '--write', '--only', 'kill', '--repetitions', 'often');
  expect([wrong.status, wrong.stderr.split('\n')[0]]).toEqual([2, '--repetitions needs a number']);
  expect(run('--only', 'nothing', '--repetitions', '3').stderr).toContain('no such fault: nothing');
});
