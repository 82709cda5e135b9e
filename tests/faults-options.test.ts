import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

it('the options of npm run faults are those of its page', () => {
  const main = path.resolve(import.meta.dirname, '../faults/main.ts');
  const run = (...options: string[]) => spawnSync(process.execPath, [main, ...options], { encoding: 'utf8' });
  // Each is known, so the one that is wrong is what is said.
  const wrong = run('--short', '--write', '--only', 'kill', '--repetitions', 'often');
  expect([wrong.status, wrong.stderr.split('\n')[0]]).toEqual([2, '--repetitions needs a number']);
  expect(run('--only', 'nothing', '--repetitions', '3').stderr).toContain('no such fault: nothing');
});
