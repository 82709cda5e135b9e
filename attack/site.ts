// A separate installation to attack: the build, with a database and a folder that are removed with the run.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { bareSiteEnv } from '#tests/support/processes/programs.ts';

/** Loopback only. */
const PORT = Number(process.env['ATTACK_PORT'] ?? 3_870);
const START_LIMIT_MS = 120_000;

/** The first admin of the attacked site. */
export const ADMIN = { email: `chief-${process.pid}@attack.test`, password: 'a-long-admin-password' };

export interface Target {
  url: string;
  db: pg.Pool;
  /** Lines of the log of level error, and of jobs whose last attempt failed, as the process wrote them. */
  errors: string[];
  close(): Promise<void>;
}

/** Variables of the attacked site. */
export const targetEnv = (dir: string): Record<string, string> => ({
  ...bareSiteEnv(),
  NODE_ENV: 'production',
  PORT: String(PORT),
  HOST: '127.0.0.1',
  PUBLIC_URL: `http://localhost:${PORT}`,
  DATA_DIR: dir,
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  ADMIN_SECOND_FACTOR: 'off',
  MARKET_DATA: 'off',
  LOG_LEVEL: 'warn',
  TRUST_PROXY: '1',
});

/** Starts the build on an empty folder. @throws Error when it is not ready in time. */
export async function openTarget(): Promise<Target> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-attack-'));
  // Started by root, PostgreSQL runs under another account, which must be able to enter.
  fs.chmodSync(dir, 0o755);
  const errors: string[] = [];
  const child = spawn(process.execPath, ['build/server/index.js'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: targetEnv(dir),
  });
  for (const output of [child.stdout, child.stderr]) collectErrors(output, errors);
  const end = async (db?: pg.Pool) => {
    await db?.end().catch(() => {});
    await stop(child);
    fs.rmSync(dir, { recursive: true, force: true });
  };
  const url = `http://localhost:${PORT}`;
  try {
    await ready(url, child);
    const db = await connect(dir);
    return { url, db, errors, close: () => end(db) };
  } catch (error) {
    await end();
    throw new Error(`${(error as Error).message}\n${errors.slice(-5).join('\n')}`);
  }
}

/** Adds the errors of an output to a list. By lines: a line may arrive in several pieces. */
export function collectErrors(output: NodeJS.ReadableStream, errors: string[]): void {
  createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    if (isError(line)) errors.push(line);
  });
}

/** A line of the log of level error and above, or of a job whose last attempt failed; other lines are output for the operator. */
function isError(line: string): boolean {
  try {
    const { level, msg, last } = JSON.parse(line) as { level?: number; msg?: string; last?: boolean };
    return level !== undefined && (level >= 50 || (msg === 'job failed' && last === true));
  } catch {
    return /\b(Unhandled|uncaught|FATAL|heap)\b/i.test(line);
  }
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < START_LIMIT_MS) {
    if (child.exitCode !== null) throw new Error(`the site ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the site is not ready');
}

/** As the owner of the tables: the run creates people and compares rows without the limits of the site's role. */
async function connect(dir: string): Promise<pg.Pool> {
  const [, , , , host] = fs.readFileSync(path.join(dir, 'pg/postmaster.pid'), 'utf8').split('\n');
  const password = fs.readFileSync(path.join(dir, 'database-passwords/owner'), 'utf8').trim();
  const pool = new pg.Pool({ host, port: 5432, user: 'florka_owner', password, database: 'postgres', max: 4 });
  // The database ends with the site.
  pool.on('error', () => {});
  await pool.query('select 1');
  return pool;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const cut = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await once(child, 'exit');
  clearTimeout(cut);
}
