import pg from 'pg';
import { connectionTo } from '#server/db/advisory-lock.ts';
import { readPause } from '#server/db/installation.ts';
import { isMigrated, type Migration } from '#server/db/migrate.ts';
import { forgetFullDisk, sawFullDisk } from '#server/db/pool.ts';
import type { HttpServices } from './context.ts';
import { readQueueProgress, readState } from './readiness.sql.ts';

/** Why this process should get no visitors now. */
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

/** Longest wait for the database. Milliseconds. */
const TIMEOUT_MS = 2_000;
/** Statements that wait for a lock, and how long each of them, before it counts. */
const MAX_WAITING = 5;
const WAITING_SECONDS = 3;
/** A job is due and no process took any for so long. Seconds. */
const MAX_JOB_DELAY_SECONDS = 300;

/** Room for some pages of data and of log, given back at once. */
const ROOM = `insert into disk_probe (filler) select string_agg(md5(i::text), '') from generate_series(1, 20000) i`;

interface Options {
  services: Pick<HttpServices, 'pool' | 'hub'>;
  migrations: Migration[];
  /** True while the process is ending. */
  isStopping: () => boolean;
}

/**
 * Answers /readyz: what is missing, nothing when all is well. It asks on a connection of its own each time, so that it is
 * neither held up by a crowded pool nor misled by an old connection; those who ask at once share an answer.
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
    // On the way that requests go, pooler or not.
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
    // Not in the polite way, which a database that stands still never answers.
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
  if (state.queued && (await jobsStand(client))) causes.push('job age');
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

/** A paused installation does no jobs, and should not. */
async function jobsStand(client: pg.Client): Promise<boolean> {
  const [jobs] = await readQueueProgress(client, { seconds: MAX_JOB_DELAY_SECONDS });
  return (jobs?.stand ?? false) && (await readPause(client)) === null;
}
