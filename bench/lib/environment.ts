import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startTrusted, type TrustedServer } from '#tests/support/database/trusted-server.ts';
import { SERVER_ARGS, SERVER_ENV } from '../../scripts/lib/server.mjs';
import { type Size, seed, tokenOf } from './seed.ts';

/** Sizes of the databases: a busy installation, and a nearly empty one. */
export const SIZES = {
  big: { projects: 10_000, candidates: 200, votes: 1_000_000, members: 20_000 },
  small: { projects: 100, candidates: 200, votes: 1_000, members: 2_000 },
  /** 100,000 posts with 1,000,000 comments and reactions. */
  bigForum: { projects: 10, candidates: 10, votes: 100, members: 5_000, posts: 100_000 },
  /** 100,000 of everything that the back office lists. */
  adminLists: { projects: 100_000, candidates: 10, votes: 100, members: 100_000, posts: 100_000, adminRecords: true },
  /** Some of everything, and hardly a vote: nothing is entered into the ledger meanwhile. */
  quiet: { projects: 1_000, candidates: 200, votes: 100, members: 2_000, posts: 1_000, adminRecords: true },
  /** A million votes of half a year, and 10,000 of what the back office lists. */
  reports: {
    projects: 10_000,
    candidates: 200,
    votes: 1_000_000,
    members: 20_000,
    posts: 10_000,
    adminRecords: true,
    days: 180,
  },
  /** Members who are online at once. */
  online: { projects: 10, candidates: 10, votes: 100, members: 50_000 },
  smallForum: { projects: 10, candidates: 10, votes: 100, members: 5_000, posts: 1_000 },
  /** Figure r gives one of them a million votes. */
  oneCandidate: { projects: 10, candidates: 2, votes: 100, members: 20_000 },
  /** Content for the search. */
  bigSearch: { projects: 10_000, candidates: 200, votes: 1_000, members: 5_000, posts: 100_000 },
  smallSearch: { projects: 100, candidates: 200, votes: 1_000, members: 5_000, posts: 1_000 },
} satisfies Record<string, Size>;
export type SizeName = keyof typeof SIZES;
/** 'demo' is filled by the server itself, at its first start with DEMO=on. */
type Content = SizeName | 'demo';

/** The server's own process, or `npm start` with the processes in between. */
type Starter = 'node' | 'npm';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
/** Longest wait for the ledger. Milliseconds. */
const ENTERED_LIMIT_MS = 900_000;
const SECRET = randomBytes(32).toString('hex');

/** Disables the caches, for figures about uncached responses. */
export const UNCACHED = { FLORKA_BENCH_NO_PAGE_CACHE: '1' };

/** Disables the page cache; reads are cached as in production. */
export const RENDERED = { FLORKA_BENCH_NO_PAGE_CACHE: 'documents' };

/** The production server as a process of its own. */
export interface Site {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** One PostgreSQL in a temporary directory, with a database for each size, and servers that use them. */
export class BenchEnvironment {
  readonly #dir: string;
  readonly #cluster: TrustedServer;
  readonly #filled = new Map<Content, Promise<void>>();
  readonly #running = new Set<Site>();
  #sites = 0;

  private constructor(dir: string, cluster: TrustedServer) {
    this.#dir = dir;
    this.#cluster = cluster;
  }

  static async open(): Promise<BenchEnvironment> {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-bench-'));
    try {
      // As root, PostgreSQL runs under another account, which must be able to enter.
      fs.chmodSync(dir, 0o755);
      return new BenchEnvironment(dir, await startTrusted({ dataDir: path.join(dir, 'database') }));
    } catch (error) {
      fs.rmSync(dir, { recursive: true, force: true });
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#running].map((site) => site.stop()));
    await this.#cluster.stop();
    fs.rmSync(this.#dir, { recursive: true, force: true });
  }

  /** Connection settings of the database of this size, which is filled at the first call. */
  async database(size: Content): Promise<pg.ClientConfig> {
    const config = { ...this.#cluster.config, database: `florka_${size.toLowerCase()}` };
    if (!this.#filled.has(size)) this.#filled.set(size, this.#fill(size, config));
    await this.#filled.get(size);
    return config;
  }

  /** A database without anything in it, of this name. */
  async emptyDatabase(name: string): Promise<pg.ClientConfig> {
    const client = new pg.Client(this.#cluster.config);
    await client.connect();
    try {
      await client.query(`create database ${name}`);
    } finally {
      await client.end();
    }
    return { ...this.#cluster.config, database: name };
  }

  async connect(size: Content): Promise<pg.Client> {
    const client = new pg.Client(await this.database(size));
    // A connection that a failed figure left open is closed with the database; its error must not end this process
    // before the cleanup.
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async #fill(size: Content, config: pg.ClientConfig): Promise<void> {
    const began = performance.now();
    await this.emptyDatabase(config.database ?? '');
    if (size !== 'demo') await seed(config, SIZES[size]);
    console.error(`[bench] filled the ${size} database in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }

  async version(): Promise<string> {
    const client = new pg.Client(this.#cluster.config);
    await client.connect();
    try {
      return (await client.query<{ v: string }>("select current_setting('server_version') as v")).rows[0]?.v ?? '?';
    } finally {
      await client.end();
    }
  }

  /**
   * Runs `use` with a new server on the database of this size. For the big one the ledger has entered all older votes
   * before: that happens once in the life of an installation, and would distort the measurement.
   * @param by the program that starts it; the process of a site that npm started is npm's.
   */
  async withSite<T>(
    size: Content,
    use: (site: Site) => Promise<T>,
    env: Record<string, string> = {},
    by: Starter = 'node',
  ): Promise<T> {
    const config = await this.database(size);
    const site = await this.#start(config, env, by);
    this.#running.add(site);
    try {
      if (size === 'big') await this.#untilEntered();
      return await use(site);
    } finally {
      await site.stop();
      this.#running.delete(site);
    }
  }

  async #untilEntered(): Promise<void> {
    const client = await this.connect('big');
    try {
      for (const end = performance.now() + ENTERED_LIMIT_MS; ; await sleep(500)) {
        const { rows } = await client.query(
          'select 1 from ledger_log where filled_at is not null and not exists (select 1 from vote_changes)',
        );
        if (rows.length > 0) return;
        if (performance.now() > end) throw new Error('the ledger did not enter the older votes');
      }
    } finally {
      await client.end();
    }
  }

  /** A new location that continues the ledger of a database needs the statement that nothing newer was published. */
  async #acceptLedger(config: pg.ClientConfig, data: string): Promise<void> {
    const client = new pg.Client(config);
    await client.connect();
    try {
      const { rows: known } = await client.query("select 1 where to_regclass('ledger_log') is not null");
      if (known.length === 0) return;
      const { rows } = await client.query<{ checkpoint: string | null }>('select checkpoint from ledger_log');
      if (!rows[0]?.checkpoint) return;
      fs.mkdirSync(data, { recursive: true });
      fs.chmodSync(data, 0o755);
      fs.writeFileSync(path.join(data, 'ledger-seen'), rows[0].checkpoint);
    } finally {
      await client.end();
    }
  }

  async #start(config: pg.ClientConfig, env: Record<string, string>, by: Starter): Promise<Site> {
    const name = `site-${++this.#sites}`;
    const logFile = path.join(this.#dir, `${name}.log`);
    const log = fs.openSync(logFile, 'a');
    const profile = process.env.BENCH_PROFILE;
    const data = path.join(this.#dir, name);
    await this.#acceptLedger(config, data);
    const node = [...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []), ...SERVER_ARGS];
    const child = spawn(by === 'npm' ? 'npm' : process.execPath, by === 'npm' ? ['start'] : node, {
      // The server stops by itself when the channel closes, so it can't outlive us.
      stdio: ['ignore', log, log, ...(by === 'npm' ? [] : ['ipc' as const])],
      env: {
        ...(by === 'npm' ? { HOME: process.env.HOME } : SERVER_ENV),
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        PORT: '0',
        HOST: '127.0.0.1',
        DATA_DIR: data,
        // A URL needs a host; the socket's directory in the query takes precedence.
        DATABASE_URL: `postgres://${config.user}@localhost:${config.port}/${config.database}?host=${encodeURIComponent(String(config.host))}`,
        AUTH_SECRET: SECRET,
        // Several servers, one after the other, on one database: one ledger.
        LEDGER_KEY: SECRET,
        DEMO: 'off',
        MARKET_DATA: 'off',
        ...env,
      },
    });
    fs.closeSync(log);
    const gone = ended(child);
    const stop = () => stopChild(child, gone);
    for (const until = Date.now() + START_LIMIT_MS; ; await sleep(50)) {
      const port = /^Florka is ready: .*:(\d+)$/m.exec(fs.readFileSync(logFile, 'utf8'))?.[1];
      if (port && child.pid) return { port: Number(port), pid: child.pid, stop };
      if (child.exitCode !== null || Date.now() > until) {
        await stop();
        throw new Error(`the server did not start:\n${fs.readFileSync(logFile, 'utf8').slice(-2_000)}`);
      }
    }
  }
}

const ended = (child: ChildProcess) => new Promise<void>((resolve) => child.once('close', () => resolve()));

/** Ends a child process with SIGTERM, and with SIGKILL when it does not end. */
export async function stopChild(child: ChildProcess, gone = ended(child)): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await gone;
  clearTimeout(timer);
}

/** The cookie of member n as Better Auth signs it. */
export function cookieOf(n: number): string {
  const token = tokenOf(n);
  const signature = createHmac('sha256', SECRET).update(token).digest('base64');
  return `florka.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
}

/** Processor time that a process has used so far, in seconds; 0 where the system does not provide it. */
export function cpuSeconds(pid: number): number {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

/** Memory of a process that is in RAM, in bytes; NaN where the system does not provide it. */
export function residentBytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}

const threadsOf = (pid: number): string[] => {
  try {
    return fs.readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
};

/** A process and its descendants; only on Linux. */
export function treeOf(pid: number): number[] {
  const children = threadsOf(pid).flatMap((thread) => {
    try {
      return fs.readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    } catch {
      // The thread has ended meanwhile.
      return [];
    }
  });
  return [pid, ...children.flatMap(treeOf)];
}

/** Most files that a process started from here may have open; Infinity where the system does not provide it. */
export function openFilesLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
