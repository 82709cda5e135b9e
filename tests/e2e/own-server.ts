import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import pg from 'pg';
import { bareSiteEnv } from '#tests/support/processes/programs.ts';

const PORTS = Number(process.env['E2E_PORT'] ?? 3150);
/** Maximum number of servers that a worker starts in one run; those of all its files are counted together. */
const PORTS_PER_WORKER = 100;
let servers = 0;

/** A server on a database of its own: it can be killed and started again on its data. */
export class OwnServer {
  readonly url: string;
  /** Its DATA_DIR. */
  readonly data: string;
  readonly #port: number;
  readonly #env: Record<string, string>;
  readonly #empty: boolean;
  #process: ChildProcess | undefined;

  /**
   * @param empty its first start makes everything itself, as in a new installation, and takes the processor for some seconds.
   * Otherwise it starts on a copy of the run's prepared data, without database, tables and demo content to be made.
   */
  constructor(env: Record<string, string> = {}, { empty = false } = {}) {
    if (servers === PORTS_PER_WORKER) throw new Error('a worker has no more ports for its servers');
    this.#port = PORTS + Number(process.env['TEST_PARALLEL_INDEX'] ?? 0) * PORTS_PER_WORKER + servers++;
    this.#env = env;
    this.#empty = empty;
    this.url = `http://localhost:${this.#port}`;
    this.data = path.join(os.tmpdir(), `florka-scenario-${process.pid}-${this.#port}`);
  }

  async start(): Promise<void> {
    const prepared = process.env['PREPARED_DATA'];
    // Keeps the owner of the files: as root, the database runs under another account.
    if (prepared && !this.#empty && !fs.existsSync(this.data)) execFileSync('cp', ['-a', prepared, this.data]);
    fs.mkdirSync(this.data, { recursive: true });
    // As root, the database server runs under another account, which must be able to enter the folder.
    fs.chmodSync(this.data, 0o755);
    const started = spawn(process.execPath, ['build/server/index.js'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...bareSiteEnv(),
        NODE_ENV: 'production',
        PORT: String(this.#port),
        HOST: '127.0.0.1',
        DATA_DIR: this.data,
        ADMIN_EMAIL: 'admin@florka.test',
        ADMIN_PASSWORD: 'admin-password',
        // market.e2e.ts has local providers; the real ones are not queried.
        MARKET_DATA: 'off',
        LOG_LEVEL: 'error',
        TRUST_PROXY: '1',
        ...this.#env,
      },
    });
    this.#process = started;
    // Polls with the reason of the response, for the message of a start that takes too long. The process must run too: another server may
    // answer on its port.
    await expect
      .poll(
        async () => {
          const answer = await fetch(`${this.url}/readyz`).then(
            async (found) => (found.status === 200 ? 'ready' : `${found.status} ${await found.text()}`),
            (error) => String(error),
          );
          return started.exitCode === null && started.signalCode === null ? answer : 'ended';
        },
        { timeout: 120_000, intervals: [100] },
      )
      .toBe('ready');
  }

  /** A connection to its database; the caller ends it. */
  async database(): Promise<pg.Client> {
    const [, , , , host] = fs.readFileSync(path.join(this.data, 'pg/postmaster.pid'), 'utf8').split('\n');
    const password = fs.readFileSync(path.join(this.data, 'database-passwords/owner'), 'utf8').trim();
    const client = new pg.Client({ host, port: 5432, user: 'florka_owner', password, database: 'postgres' });
    // kill() interrupts the connection.
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  /** kill -9, as a power cut would. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (!running || running.exitCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  }

  async end(): Promise<void> {
    const running = this.#process;
    if (running && running.exitCode === null && running.signalCode === null) {
      running.kill('SIGTERM');
      await once(running, 'exit');
    }
    fs.rmSync(this.data, { recursive: true, force: true });
  }
}
