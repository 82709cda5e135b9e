import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';

// npm is started for real.
vi.setConfig({ testTimeout: 240_000 });

const LIB = path.resolve(import.meta.dirname);
const WAIT = { timeout: 120_000, interval: 100 };
const isThere = (pid: number) => {
  try {
    // A zombie process still has its pid.
    return !/\) [ZX] /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    if (process.platform === 'linux') return false;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

function folder(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-start-'));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Runs a program whose output is kept; whatever is left of it ends with the test. */
function run(cwd: string, command: string, args: string[], env: Record<string, string> = {}) {
  const { npm_lifecycle_event: _, npm_execpath: __, ...outer } = process.env;
  const child = spawn(command, args, { cwd, env: { ...outer, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text;
    });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, output: () => output, ended: once(child, 'close').then(([code]) => code as number | null) };
}

const pidIn = async (file: string): Promise<number> => {
  const read = () => Number(fs.existsSync(file) && fs.readFileSync(file, 'utf8'));
  await vi.waitFor(() => expect(read()).toBeGreaterThan(0), WAIT);
  const pid = read();
  onTestFinished(() => {
    if (isThere(pid)) process.kill(pid, 'SIGKILL');
  });
  return pid;
};
const gone = (pid: number) => vi.waitFor(() => expect(isThere(pid)).toBe(false), WAIT);

/** A project whose start runs one program, and that program. */
function project(program: string, options = ''): string {
  const dir = folder();
  fs.writeFileSync(path.join(dir, 'package.json'), JSON.stringify({ scripts: { start: 'node start.mjs' } }));
  fs.writeFileSync(
    path.join(dir, 'start.mjs'),
    `import { supervise } from ${JSON.stringify(path.join(LIB, 'process.mjs'))};
     const { code } = await supervise(process.execPath, ['program.mjs'], { stdio: 'inherit'${options} });
     process.exit(code);`,
  );
  fs.writeFileSync(path.join(dir, 'program.mjs'), program);
  return dir;
}

const STAYS = `import { writeFileSync } from 'node:fs';
  writeFileSync('pid', String(process.pid));
  setInterval(() => {}, 1_000);`;

it.skipIf(process.platform === 'win32')('the program ends when npm alone is killed', async () => {
  const dir = project(STAYS);
  const npm = run(dir, 'npm', ['start']);
  const pid = await pidIn(path.join(dir, 'pid'));
  (npm.child as ChildProcess).kill('SIGKILL');
  await gone(pid);
});

it.skipIf(process.platform === 'win32')('without npm, the program continues when its parent process ends', async () => {
  const dir = project(STAYS);
  const shell = run(dir, 'sh', ['-c', `"${process.execPath}" start.mjs & echo $! > start; wait`]);
  const [start, pid] = [await pidIn(path.join(dir, 'start')), await pidIn(path.join(dir, 'pid'))];
  shell.child.kill('SIGKILL');
  await gone(shell.child.pid ?? 0);
  expect([isThere(start), isThere(pid)]).toEqual([true, true]);
  process.kill(start, 'SIGTERM');
  await gone(pid);
});

/** A start that ends by running `program` with the local Node, which writes its pid to a file as the start does. */
function replacedStart(program: string): string {
  const dir = folder();
  const file = path.join(dir, 'program.mjs');
  fs.writeFileSync(file, program.replace("'pid'", JSON.stringify(path.join(dir, 'pid'))));
  fs.writeFileSync(path.join(dir, 'package.json'), JSON.stringify({ scripts: { start: 'node start.mjs' } }));
  fs.writeFileSync(
    path.join(dir, 'start.mjs'),
    `import { writeFileSync } from 'node:fs';
     import { becomeUnderNode } from ${JSON.stringify(path.join(LIB, 'bootstrap.mjs'))};
     writeFileSync('start', String(process.pid));
     await becomeUnderNode([${JSON.stringify(file)}], { GIVEN: '7' });`,
  );
  return dir;
}

it.skipIf(!process.execve)('the program replaces the start process, with its environment and exit code', async () => {
  const dir = replacedStart(`${STAYS} process.on('SIGTERM', () => process.exit(Number(process.env['GIVEN'])));`);
  const start = run(dir, process.execPath, ['start.mjs']);
  const pid = await pidIn(path.join(dir, 'pid'));
  expect([pid, await pidIn(path.join(dir, 'start'))]).toEqual([start.child.pid, start.child.pid]);
  start.child.kill('SIGTERM');
  expect(await start.ended).toBe(7);
});

it.skipIf(!process.execve)('the program that replaced the start process ends when npm alone is killed', async () => {
  const dir = replacedStart(STAYS);
  const npm = run(dir, 'npm', ['start']);
  const pid = await pidIn(path.join(dir, 'pid'));
  expect(await pidIn(path.join(dir, 'start'))).toBe(pid);
  npm.child.kill('SIGKILL');
  await gone(pid);
});

it.skipIf(process.platform === 'win32')(
  'an interrupted start ends all its processes, also those that ignore signals',
  async () => {
    const deaf = `import { spawn } from 'node:child_process';
      for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
      spawn(process.execPath, ['deaf.mjs'], { stdio: 'ignore' });
      ${STAYS}`;
    const dir = project(deaf, ', group: true');
    fs.writeFileSync(
      path.join(dir, 'deaf.mjs'),
      `for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});${STAYS.replace("'pid'", "'deaf'")}`,
    );
    const start = run(dir, process.execPath, ['start.mjs']);
    const [pid, child] = [await pidIn(path.join(dir, 'pid')), await pidIn(path.join(dir, 'deaf'))];
    start.child.kill('SIGINT');
    await start.ended;
    await gone(pid);
    await gone(child);
  },
);

/** The scripts in a checkout of their own, without any dependency. */
function checkout(): string {
  const dir = folder();
  fs.cpSync(LIB, path.join(dir, 'scripts/lib'), { recursive: true });
  fs.copyFileSync(path.join(LIB, '../start.mjs'), path.join(dir, 'scripts/start.mjs'));
  fs.writeFileSync(path.join(dir, 'package.json'), JSON.stringify({ name: 'none', version: '0.0.0', type: 'module' }));
  fs.writeFileSync(
    path.join(dir, 'package-lock.json'),
    JSON.stringify({ name: 'none', version: '0.0.0', lockfileVersion: 3, packages: { '': { name: 'none' } } }),
  );
  // npm leaves no folder where there is nothing to install.
  fs.writeFileSync(
    path.join(dir, 'scripts/install.mjs'),
    `import { mkdirSync } from 'node:fs';
     mkdirSync('node_modules', { recursive: true });
     const { ensureInstalled } = await import('./lib/bootstrap.mjs');
     await ensureInstalled({ dev: false });
     console.log('installed');`,
  );
  return dir;
}

it('of two first starts in one checkout, only one installs and the other waits', async () => {
  const dir = checkout();
  const node = process.execPath;
  const lock = path.join(dir, '.florka-start.lock');
  // A start that installs, and is killed on the way while its npm goes on.
  const npm = run(dir, node, ['-e', STAYS.replace(/^import.*;$/m, "const { writeFileSync } = require('node:fs');")]);
  const pid = await pidIn(path.join(dir, 'pid'));
  const life = (of: number) => fs.readFileSync(`/proc/${of}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];
  fs.writeFileSync(lock, `4194305 1\n${pid} ${process.platform === 'linux' ? life(pid) : ''}\n`);
  const both = [run(dir, node, ['scripts/install.mjs']), run(dir, node, ['scripts/install.mjs'])];
  for (const one of both)
    await vi.waitFor(() => expect(one.output()).toContain('Another start installs or builds in this folder'), WAIT);
  npm.child.kill('SIGKILL');
  await npm.ended;
  expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([0, 0]);
  for (const { output } of both) expect(output()).toContain('installed');
  expect(both.filter(({ output }) => output().includes('Installing dependencies'))).toHaveLength(1);
  expect(fs.existsSync(lock)).toBe(false);
});

it('a port in use is reported before the start creates any file', async () => {
  const dir = checkout();
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const PORT = String((server.address() as net.AddressInfo).port);
  const start = run(dir, process.execPath, ['scripts/start.mjs'], { PORT, HOST: '127.0.0.1' });
  expect(await start.ended).toBe(1);
  expect(start.output().trim()).toBe(`[florka] Port ${PORT} is in use: stop the other program or set PORT`);
  expect(fs.readdirSync(dir).sort()).toEqual(['package-lock.json', 'package.json', 'scripts']);
});
