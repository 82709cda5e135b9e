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

/** An empty temporary folder, removed after the test. */
function emptyFolder(): string {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-run-folder-'));
  onTestFinished(() => fs.rmSync(temporary, { recursive: true, force: true, maxRetries: 10 }));
  // As root, a database server runs under another account, which must be able to enter the folder.
  fs.chmodSync(temporary, 0o755);
  return temporary;
}

/** Runs a module in a temporary folder, outside of the run of these tests. */
function runAlone(source: string, temporary = emptyFolder()) {
  const { FLORKA_RUN_FOLDER: _, ...outer } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    cwd: ROOT,
    env: { ...outer, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
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
] as const)('a run that %s ends during its preparation removes its folder', async (signal, code) => {
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

it.skipIf(process.platform === 'win32').each([
  ['while', 0],
  // Then the database server removes files of its own at the same time.
  ['a moment after', 150],
] as const)('scenarios that end %s their database starts leave no folder', async (_, delayMs) => {
  const run = runAlone(`
    const { default: setup } = await import('./tests/support/runner/browser-run.ts');
    await setup();`);
  await run.has('prepared/pg/postmaster.pid');
  await new Promise((done) => setTimeout(done, delayMs));
  run.child.kill('SIGTERM');
  await run.ended;
  expect(run.left()).toEqual([]);
});

it('a run removes the folders of runs that were killed, and no others', async () => {
  const temporary = emptyFolder();
  const stays = (file: string) => `${ENTERS} writeFileSync(folder + '/${file}', ''); setInterval(() => {}, 1_000);`;
  const killed = runAlone(stays('first'), temporary);
  await killed.has('first');
  const [stale = ''] = killed.left();
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(killed.left()).toEqual([stale]);
  const owner = fs.readFileSync(path.join(temporary, stale, 'owner'), 'utf8');
  const make = (name: string, text?: string) => {
    fs.mkdirSync(path.join(temporary, name));
    if (text !== undefined) fs.writeFileSync(path.join(temporary, name, 'owner'), text);
    return name;
  };
  const kept = [
    make('florka-run-without-owner'),
    make('florka-run-of-another-host', owner.replace(os.hostname(), 'another-host')),
    make('another-program', owner),
  ];
  fs.symlinkSync(path.join(temporary, 'another-program'), path.join(temporary, 'florka-run-link'), 'junction');
  const running = runAlone(stays('second'), temporary);
  await running.has('second');
  const own = fs.readdirSync(temporary).filter((name) => ![...kept, 'florka-run-link'].includes(name));
  expect(own).toHaveLength(1);
  expect(own).not.toContain(stale);
  // And not the one that is running.
  const later = runAlone(ENTERS, temporary);
  expect(await later.ended).toBe(0);
  expect(fs.readdirSync(temporary).sort()).toEqual([...kept, 'florka-run-link', ...own].sort());
});

it.skipIf(process.platform !== 'linux')(
  'a stale folder is removed although another process has its pid now',
  async () => {
    const temporary = emptyFolder();
    fs.mkdirSync(path.join(temporary, 'florka-run-older'));
    fs.writeFileSync(path.join(temporary, 'florka-run-older/owner'), [process.pid, '1', os.hostname()].join('\n'));
    const run = runAlone(ENTERS, temporary);
    expect(await run.ended).toBe(0);
    expect(run.left()).toEqual([]);
  },
);
