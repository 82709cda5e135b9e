import path from 'node:path';
import type pg from 'pg';
import { type Db, openDb, openPool, type Tx } from '#server/db/client.ts';
import { locateCluster, prepareDataDir } from '#server/db/embedded/cluster.ts';
import { isMigrated, readMigrations } from '#server/db/migrate.ts';
import { type Database, openDatabase, openRunning } from '#server/db/open.ts';
import { type Env, readEnv } from '#server/env.ts';
import { JobQueue } from '#server/jobs/queue.ts';
import type { Actor } from '#server/lib/audit.ts';
import { StartError } from '#server/lib/errors/start-error.ts';

/** Operators with access to the machine act as the system. */
export const OPERATOR: Actor = { id: null, role: 'system', ipHash: null, requestId: null };

export interface Operation {
  env: Env;
  pool: pg.Pool;
  db: Db;
  /** Queues mails for the site, which sends them; start it before the transaction that does. */
  jobs: JobQueue;
}

/**
 * Works on the database of the installation, beside a running server or without one, and closes it afterwards.
 *
 * @param state 'any' also takes one whose tables are not those of this program.
 * @param role as whom: the owner makes and drops tables, which the site can't.
 * @throws StartError when there is none, or its tables are not those of this program.
 */
export async function withDatabase<T>(
  work: (operation: Operation) => Promise<T>,
  state: 'prepared' | 'any' = 'prepared',
  role: 'site' | 'owner' = 'site',
): Promise<T> {
  const env = readEnv(process.env);
  const database = (env.DATABASE_URL ? null : await openRunning(env.DATA_DIR)) ?? (await openOwn(env));
  const place = role === 'owner' ? database.owner : database.config;
  const pool = openPool({ ...place, max: 2, work: 'maintenance', application_name: 'florka operator' });
  const jobs = new JobQueue(pool, () => {}, env.AUTH_SECRET);
  try {
    const migrations = programMigrations();
    if (state === 'prepared' && !(await isMigrated(pool, migrations).catch(() => false)))
      throw new StartError('The database is not prepared for this version: start the server once, then try again.');
    return await work({ env, pool, db: openDb(pool), jobs });
  } finally {
    await jobs.stop();
    await pool.end();
    await database.close();
  }
}

/** The statements of a transaction, for what works without the query layer. */
export const statementsOf = (tx: Tx) => tx.$client as unknown as pg.PoolClient;

/** The migrations of this version. */
export const programMigrations = () => readMigrations(path.join(process.cwd(), 'server/db/migrations'));

async function openOwn(env: Env): Promise<Database> {
  if (!env.DATABASE_URL && !locateCluster(prepareDataDir(env.DATA_DIR)).exists)
    throw new StartError(`There is no database in ${env.DATA_DIR}: set DATA_DIR, or start the server once.`);
  return openDatabase({
    // They need sessions, not only transactions.
    url: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    migrateUrl: env.DATABASE_MIGRATE_URL,
    dataDir: env.DATA_DIR,
    onLost: (reason) => console.error(reason),
  });
}
