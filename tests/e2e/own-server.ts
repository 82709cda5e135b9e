import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import pg from 'pg';

const PORTS = Number(process.env['E2E_PORT'] ?? 3150);
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
    // Ten ports for each worker.
    this.#port = PORTS + Number(process.env['TEST_PARALLEL_INDEX'] ?? 0) * 10 + servers++;
    this.#env = env;
    this.#empty = empty;
    this.url = `http://localhost:${this.#port}`;
    this.data = path.join(os.tmpdir(), `florka-scenario-${process.pid}-${this.#port}`);
  }

  async start(): Promise<void> {
    const prepared = process.env['PREPARED_DATA'];
    // With its owner, which is not this process's where that is root's.
    if (prepared && !this.#empty && !fs.existsSync(this.data)) execFileSync('cp', ['-a', prepared, this.data]);
    fs.mkdirSync(this.data, { recursive: true });
    // Started by root, the database server runs as another user, who has to get through.
    fs.chmodSync(this.data, 0o755);
    this.#process = spawn(process.execPath, ['build/server/index.js'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
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
    // With the response's reason, for a start that takes too long.
    await expect
      .poll(
        () =>
          fetch(`${this.url}/readyz`).then(
            async (answer) => (answer.status === 200 ? 'ready' : `${answer.status} ${await answer.text()}`),
            (error) => String(error),
          ),
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
