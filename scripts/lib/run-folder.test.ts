import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';

// A database is made for real.
vi.setConfig({ testTimeout: 180_000 });

const ROOT = path.resolve(import.meta.dirname, '../..');
const WAIT = { timeout: 120_000, interval: 50 };

/** Runs a module in an empty temporary folder, outside of the run of these tests; `folder` waits for the run folder that it enters. */
function runAlone(source: string) {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-run-folder-'));
  // Started by root, a database server runs as another user, who has to get through.
  fs.chmodSync(temporary, 0o755);
  const { FLORKA_RUN_FOLDER: _, ...outer } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    cwd: ROOT,
    env: { ...outer, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    stdio: 'ignore',
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    fs.rmSync(temporary, { recursive: true, force: true, maxRetries: 10 });
  });
  const left = () => fs.readdirSync(temporary).filter((name) => name.startsWith('florka-run-'));
  return {
    child,
    left,
    /** Waits for a file below the run folder. */
    has: (file: string) =>
      vi.waitFor(() => expect(left().some((name) => fs.existsSync(path.join(temporary, name, file)))).toBe(true), WAIT),
    ended: once(child, 'exit').then(([code]) => code as number | null),
  };
}

const ENTERS = `
  import { writeFileSync } from 'node:fs';
  import { enterRunFolder } from './scripts/lib/run-folder.mjs';
  const { folder } = enterRunFolder();`;

it.skipIf(process.platform === 'win32').each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)('a run that %s ends while it prepares removes its folder', async (signal, code) => {
  const run = runAlone(`${ENTERS} writeFileSync(folder + '/entered', ''); setInterval(() => {}, 1_000);`);
  await run.has('entered');
  run.child.kill(signal);
  expect(await run.ended).toBe(code);
  expect(run.left()).toEqual([]);
});

it.skipIf(process.platform === 'win32')('a program of the run ends before the folder is removed', async () => {
  const program = `
    process.on('SIGTERM', () => process.exit(require('node:fs').existsSync(process.env.TMPDIR) ? 7 : 8));
    require('node:fs').writeFileSync(process.env.TMPDIR + '/started', '');
    setInterval(() => {}, 1_000);`;
  const run = runAlone(`${ENTERS}
    import { supervise } from './scripts/lib/process.mjs';
    const { code } = await supervise(process.execPath, ['-e', ${JSON.stringify(program)}]);
    process.exit(code);`);
  await run.has('started');
  run.child.kill('SIGTERM');
  expect(await run.ended).toBe(7);
  expect(run.left()).toEqual([]);
});

it.skipIf(process.platform === 'win32')('scenarios that end while their data are made leave no folder', async () => {
  const run = runAlone(`
    const { default: setup } = await import('./tests/support/runner/browser-run.ts');
    await setup();`);
  await run.has('prepared/pg/postmaster.pid');
  run.child.kill('SIGTERM');
  await run.ended;
  expect(run.left()).toEqual([]);
});
