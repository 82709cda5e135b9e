import fs from 'node:fs';
import pg from 'pg';
import { roleName } from '#server/db/rights.ts';
import { startTrusted, type TrustedServer } from '#tests/support/database/trusted-server.ts';
import { isRunning, signalTree, treeOf } from './processes.ts';
import { until } from './wait.ts';

/**
 * The owner of the tables and the role of the sites, as in a real installation. Neither is a superuser, who would be
 * exempt from every limit.
 */
export const OWNER = roleName('owner');
export const APP = roleName('app');
/** All roles that a site connects as. */
export const SITE_ROLES = [OWNER, APP];

/** A PostgreSQL server that can be suspended, stopped and killed. */
export class Cluster {
  readonly #dir: string;
  readonly #settings: string[];
  #server: TrustedServer;

  private constructor(dir: string, settings: string[], server: TrustedServer) {
    this.#dir = dir;
    this.#settings = settings;
    this.#server = server;
  }

  static async open(dir: string, settings: string[] = []): Promise<Cluster> {
    fs.mkdirSync(dir, { recursive: true });
    const cluster = new Cluster(dir, settings, await startTrusted({ dataDir: dir, settings, onCrash: () => {} }));
    // Nobody has it by default.
    await cluster.run('postgres', [`revoke pg_read_all_settings from ${SITE_ROLES.join(', ')}`]);
    return cluster;
  }

  /** Connection settings of the owner, not through a proxy. */
  config(database = 'postgres'): pg.ClientConfig {
    return { ...this.#server.config, database };
  }

  /** The address of its socket. */
  get socket(): string {
    const { host, port } = this.#server.config;
    return `${host}/.s.PGSQL.${port}`;
  }

  async run(database: string, statements: string[]): Promise<void> {
    const client = await this.connect(database);
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  /** A connection of the owner. */
  async connect(database: string): Promise<pg.Client> {
    const client = new pg.Client({ ...this.config(database), connectionTimeoutMillis: 30_000 });
    // Its server may be killed.
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  /** Suspends or resumes all of its processes, as when a machine stands still. */
  freeze(frozen: boolean): void {
    signalTree(this.#server.pid, frozen ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Ends it: SIGINT as for an orderly restart, SIGQUIT immediately without a checkpoint, SIGKILL as in a crash. */
  async end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const { pid } = this.#server;
    const tree = treeOf(pid);
    if (signal === 'SIGKILL') signalTree(pid, signal);
    else process.kill(pid, signal);
    await until('the database ends', () => !tree.some(isRunning));
    await this.#server.stop();
  }

  async start(): Promise<void> {
    this.#server = await startTrusted({ dataDir: this.#dir, settings: this.#settings, onCrash: () => {} });
  }

  async close(): Promise<void> {
    this.freeze(false);
    await this.#server.stop();
  }
}
