import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { StartError } from '#server/lib/errors/start-error.ts';
import { isAlive, lockDataDir, startMarkOf } from './data-lock.ts';
import { readPidFile, stopPostmaster } from './embedded/postmaster.ts';
import { type EmbeddedOptions, type EmbeddedPg, startEmbeddedPg } from './embedded.ts';

const isRoot = process.getuid?.() === 0;
const FAST = ['fsync=off', 'full_page_writes=off'];
const NO_SUCH_PID = 2 ** 22 + 1; // above the largest pid Linux hands out
const running: EmbeddedPg[] = [];
let dataDir: string;

beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-embedded-'));
  fs.chmodSync(dataDir, 0o755);
});

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

const lockFile = (): string => path.join(dataDir, 'florka.lock');

async function start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPg> {
  const server = await startEmbeddedPg({ dataDir, settings: FAST, ...options });
  running.push(server);
  return server;
}

async function query(server: EmbeddedPg, sql: string): Promise<unknown[]> {
  const client = new pg.Client(server.configOf('owner'));
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function waitUntil(what: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !what(); i++) await sleep(20);
  expect(what()).toBe(true);
}

/** State after an application was killed: a running server, and the lock of a dead process. */
async function leaveOrphan(): Promise<EmbeddedPg> {
  const orphan = await start({ guard: false });
  fs.writeFileSync(lockFile(), `${NO_SUCH_PID}\n\n`);
  return orphan;
}

describe('first start', () => {
  it('creates a durable database with case-insensitive Spanish text, and its stop leaves no lock', async () => {
    const server = await startEmbeddedPg({ dataDir });
    expect(await query(server, "select lower('ÑANDÚ') as low, 'Ñ' ilike 'ñ' as alike")).toEqual([
      { low: 'ñandú', alike: true },
    ]);
    expect(await query(server, "select current_setting('fsync') f, current_setting('synchronous_commit') s")).toEqual([
      { f: 'on', s: 'on' },
    ]);
    await Promise.all([server.stop(), server.stop()]);
    // Its parent may need a moment to notice its exit.
    await expect.poll(() => isAlive(server.pid)).toBe(false);
    expect(fs.readdirSync(dataDir)).toEqual(['database-passwords', 'pg']);
  });

  it('deletes the leftovers of interrupted first starts', async () => {
    fs.mkdirSync(path.join(dataDir, 'pg.init-4711/base'), { recursive: true });
    await start();
    expect(fs.readdirSync(dataDir).sort()).toEqual(['database-passwords', 'florka.lock', 'pg']);
  });

  it('succeeds for one of two concurrent starts and fails for the other', async () => {
    const results = await Promise.allSettled([start(), start()]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('works with a DATA_DIR whose path is too long for a socket address', async () => {
    const server = await start({ dataDir: path.join(dataDir, 'deep'.repeat(30)) });
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    fs.rmSync(server.configOf('owner').host, { recursive: true, force: true });
  });

  it.runIf(isRoot)('as root stores the data outside a private DATA_DIR, where the next start finds it', async () => {
    fs.chmodSync(dataDir, 0o700);
    const server = await start();
    expect(server.clusterDir.startsWith(dataDir)).toBe(false);
    await server.stop();
    fs.chmodSync(dataDir, 0o755);
    const again = await start();
    expect(again.clusterDir).toBe(server.clusterDir);
    await again.stop();
    fs.rmSync(server.clusterDir, { recursive: true });
  });
});

describe('the start is refused in one sentence, with all files unchanged, for', () => {
  const refusal = async (pattern: RegExp, dir = dataDir): Promise<void> => {
    const error: unknown = await startEmbeddedPg({ dataDir: dir }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toMatch(pattern);
    expect(String(error)).not.toContain('\n');
  };

  it('a database of another PostgreSQL version', async () => {
    fs.mkdirSync(path.join(dataDir, 'pg'));
    fs.writeFileSync(path.join(dataDir, 'pg/PG_VERSION'), '16\n');
    await refusal(/PostgreSQL 16 .* PostgreSQL 18/);
    expect(fs.readdirSync(dataDir, { recursive: true })).toEqual(['pg', 'pg/PG_VERSION']);
  });

  it('a file instead of a directory', async () => {
    fs.writeFileSync(path.join(dataDir, 'file'), '');
    await refusal(/is not a directory/, path.join(dataDir, 'file'));
    await refusal(/is not a directory/, path.join(dataDir, 'file/below'));
  });

  it('a directory of another program', async () => {
    fs.mkdirSync(path.join(dataDir, 'pg'));
    fs.writeFileSync(path.join(dataDir, 'pg/thesis.tex'), 'years of work');
    await refusal(/is no PostgreSQL database/);
    expect(fs.readdirSync(path.join(dataDir, 'pg'))).toEqual(['thesis.tex']);
  });

  it('a directory without write permission', async () => {
    fs.chmodSync(dataDir, 0o555);
    if (isRoot) process.seteuid?.(65534);
    try {
      await refusal(/no right to write/);
      await refusal(/no right to write/, path.join(dataDir, 'below'));
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it('a directory that a running process uses', async () => {
    const server = await start();
    await refusal(new RegExp(`pid ${process.pid}\\) already uses DATA_DIR .*DATABASE_URL`));
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('roles', () => {
  const connectAs = async (server: EmbeddedPg, as: pg.ClientConfig): Promise<string> => {
    const client = new pg.Client({ ...server.configOf('app'), ...as });
    try {
      await client.connect();
      return 'in';
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    } finally {
      await client.end();
    }
  };

  it('connect with their password only, and the superuser cannot connect', async () => {
    const server = await start();
    const owner = server.configOf('owner');
    expect(await connectAs(server, {})).toBe('in');
    expect(await connectAs(server, { user: 'florka_owner' })).toBe('28P01');
    expect(await connectAs(server, { password: '' })).not.toBe('in');
    expect(await connectAs(server, { user: 'postgres', password: owner.password })).toBe('28000');
    for (const role of ['owner', 'app', 'signer', 'reader'] as const) {
      expect(await connectAs(server, server.configOf(role))).toBe('in');
      const file = path.join(dataDir, 'database-passwords', role);
      expect((fs.statSync(file).mode & 0o777).toString(8)).toBe('600');
    }
    expect(await query(server, 'select rolname from pg_roles where rolsuper')).toEqual([{ rolname: 'postgres' }]);
  });

  it('get new passwords when the password files were lost', async () => {
    const first = await start();
    const { password } = first.configOf('app');
    await query(first, 'create table t as select 42 as answer');
    await first.stop();
    fs.rmSync(path.join(dataDir, 'database-passwords'), { recursive: true });
    const server = await start();
    expect(await connectAs(server, { password })).toBe('28P01');
    expect(await query(server, 'select answer from t')).toEqual([{ answer: 42 }]);
  });

  it('are created by the next start when their creation was interrupted', async () => {
    await (await start()).stop();
    for (const name of ['florka-roles', 'florka_hba.conf']) fs.rmSync(path.join(dataDir, 'pg', name));
    expect(await connectAs(await start(), {})).toBe('in');
  });
});

describe('the lock of DATA_DIR', () => {
  it('of a dead process is taken over', async () => {
    fs.writeFileSync(lockFile(), `${NO_SUCH_PID}\n\n`);
    (await lockDataDir(dataDir)).release();
    expect(fs.readdirSync(dataDir)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('of a dead process whose pid was reused is taken over', async () => {
    fs.writeFileSync(lockFile(), `${process.ppid}\nan-earlier-boot:12345\n`);
    (await lockDataDir(dataDir)).release();
    fs.writeFileSync(lockFile(), `${process.ppid}\n${startMarkOf(process.ppid)}\n`);
    await expect(lockDataDir(dataDir)).rejects.toThrow(`pid ${process.ppid}`);
  });

  it('that a crash left empty is taken over', async () => {
    fs.writeFileSync(lockFile(), '');
    (await lockDataDir(dataDir)).release();
  });

  it('is acquired by exactly one of twenty concurrent callers', async () => {
    fs.writeFileSync(lockFile(), `${NO_SUCH_PID}\n\n`);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(dataDir)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });
});

describe('recovery', () => {
  it('keeps committed rows after kill -9 of the server, and reports the crash', async () => {
    const crashed: string[] = [];
    const server = await start({ onCrash: (log) => crashed.push(log) });
    await query(server, 'create table t as select 42 as answer');
    process.kill(server.pid, 'SIGKILL');
    await waitUntil(() => crashed.length === 1);
    await server.stop();
    expect(await query(await start(), 'select answer from t')).toEqual([{ answer: 42 }]);
  });

  it('ignores a pid file that names another program', async () => {
    await (await start()).stop();
    const unrelated = spawn('sleep', ['60'], { stdio: 'ignore' });
    onTestFinished(() => void unrelated.kill());
    const pidFile = path.join(dataDir, 'pg/postmaster.pid');
    fs.writeFileSync(pidFile, `${unrelated.pid}\n${path.join(dataDir, 'pg')}\n`);
    const server = await start();
    expect(server).toMatchObject({ adopted: false });
    expect(isAlive(unrelated.pid ?? 0)).toBe(true);
  });

  it('adopts the server that a killed application left running, and stops it at its own stop', async () => {
    const orphan = await leaveOrphan();
    const server = await start();
    expect(server).toMatchObject({ adopted: true, pid: orphan.pid });
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    expect(readPidFile(server.clusterDir)).toBeUndefined();
  });

  it('waits for the server of a killed application that is shutting down', async () => {
    const orphan = await leaveOrphan();
    void stopPostmaster(orphan.pid, orphan.clusterDir);
    expect(await start()).toMatchObject({ adopted: false });
  });

  it.each(['guarded from the start', 'adopted'])('kill -9 of the application stops its server: %s', async (kind) => {
    if (kind === 'adopted') await leaveOrphan();
    const script = `
      const { startEmbeddedPg } = await import('./server/db/embedded.ts');
      const server = await startEmbeddedPg({ dataDir: process.argv[1], settings: ${JSON.stringify(FAST)} });
      console.log(server.pid);
      setInterval(() => {}, 1000);`;
    const args = ['--input-type=module', '-e', script, dataDir];
    const app = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const pid = Number(await new Promise((resolve) => app.stdout.once('data', resolve)));
    expect(isAlive(pid)).toBe(true);
    const gone = new Promise((resolve) => app.once('exit', resolve));
    app.kill('SIGKILL');
    // Its pid is in use until its exit was noticed here.
    await gone;
    await waitUntil(() => !isAlive(pid));
    expect(await start()).toMatchObject({ adopted: false });
  });
});
