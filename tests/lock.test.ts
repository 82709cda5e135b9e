import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const lock = readFileSync(path.join(root, 'package-lock.json'), 'utf8');

/** What the check says of a lockfile in which one package is another. */
function check(change: Record<string, unknown>): { code: number | null; output: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const copy = JSON.parse(lock);
  Object.assign(copy.packages['node_modules/zod'], change);
  writeFileSync(path.join(folder, 'lock.json'), JSON.stringify(copy));
  const { status, stdout } = spawnSync(process.execPath, ['scripts/check-lock.mjs', path.join(folder, 'lock.json')], {
    cwd: root,
    encoding: 'utf8',
  });
  return { code: status, output: stdout };
}

it('the lockfile keeps its rules', () => expect(check({})).toEqual({ code: 0, output: '' }));
it.each([
  ['a script that nobody listed', { hasInstallScript: true }, 'runs a script that is not listed'],
  ['another place than a registry', { resolved: 'git+ssh://git@example.test/zod.git#abc' }, 'is from git+ssh'],
  ['an address of a mirror', { resolved: 'https://mirror.example.test/zod.tgz' }, 'is from https://mirror'],
  ['no hash', { integrity: undefined }, 'has no SHA-512 hash'],
  ['a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'has no SHA-512 hash'],
])('the check finds %s', (_what, change, problem) => {
  const { code, output } = check(change);
  expect(code).toBe(1);
  expect(output).toContain(`node_modules/zod ${problem}`);
});
