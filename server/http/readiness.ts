import pg from 'pg';
import { connectionTo } from '#server/db/advisory-lock.ts';
import { readPause } from '#server/db/installation.ts';
import { isMigrated, type Migration } from '#server/db/migrate.ts';
import { forgetFullDisk, sawFullDisk } from '#server/db/pool.ts';
import type { HttpServices } from './context.ts';
import { readQueueProgress, readState } from './readiness.sql.ts';

/** Reasons why this process should receive no visitors now. */
type Cause =
  | 'database'
  | 'connections'
  | 'read-only'
  | 'disk'
  | 'migrations'
  | 'lock waits'
  | 'job age'
  | 'live connection'
  | 'stopping';

/** Timeout of the database check. Milliseconds. */
const TIMEOUT_MS = 2_000;
/** Number of statements that wait for a lock, and the minimum wait of each, for the check to fail. */
const MAX_WAITING = 5;
const WAITING_SECONDS = 3;
/** Maximum time for which a due job may wait without any process claiming one. Seconds. */
const MAX_JOB_DELAY_SECONDS = 300;

/** Allocates some pages of data and of log, and frees them immediately. */
const ROOM = `insert into disk_probe (filler) select string_agg(md5(i::text), '') from generate_series(1, 20000) i`;

interface Options {
  services: Pick<HttpServices, 'pool' | 'hub'>;
  migrations: Migration[];
  /** True during shutdown. */
  isStopping: () => boolean;
}

/**
 * Implements /readyz: returns the reasons why the process is not ready; empty when it is. Each check opens a connection of its
 * own, so that neither an exhausted pool nor an old connection distorts it; concurrent callers share one check.
 */
export function createReadiness({ services, migrations, isStopping }: Options): () => Promise<Cause[]> {
  let asking: Promise<Cause[]> | undefined;
  return async () => {
    asking ??= probeDatabase(services.pool, migrations).finally(() => {
      asking = undefined;
    });
    return [
      ...(await asking),
      ...(services.hub.ready ? [] : (['live connection'] as const)),
      ...(isStopping() ? (['stopping'] as const) : []),
    ];
  };
}

async function probeDatabase(pool: pg.Pool, migrations: Migration[]): Promise<Cause[]> {
  const client = new pg.Client({
    // By the same route as requests, with or without a pooler.
    ...connectionTo(pool.options, 'florka health'),
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await causesOf(client, pool, migrations);
  } catch (error) {
    return [(error as { code?: string }).code === '53300' ? 'connections' : 'database'];
  } finally {
    // A graceful close would wait forever for a database that hangs.
    client.connection.stream.destroy();
  }
}

async function causesOf(client: pg.Client, pool: pg.Pool, migrations: Migration[]): Promise<Cause[]> {
  const [state] = await readState(client, { seconds: WAITING_SECONDS });
  if (!state?.prepared || !(await isMigrated(client, migrations))) return ['migrations'];
  const causes: Cause[] = [];
  if (state.readOnly) causes.push('read-only');
  else if (sawFullDisk(pool))
    if (await hasRoom(client)) forgetFullDisk(pool);
    else causes.push('disk');
  if (state.waiting >= MAX_WAITING) causes.push('lock waits');
  if (state.queued && (await areJobsStuck(client))) causes.push('job age');
  return causes;
}

async function hasRoom(client: pg.Client): Promise<boolean> {
  try {
    await client.query('begin');
    await client.query(ROOM);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '53100') return false;
    throw error;
  } finally {
    await client.query('rollback');
  }
}

/** A paused installation runs no jobs, by design. */
async function areJobsStuck(client: pg.Client): Promise<boolean> {
  const [jobs] = await readQueueProgress(client, { seconds: MAX_JOB_DELAY_SECONDS });
  return (jobs?.stand ?? false) && (await readPause(client)) === null;
}
