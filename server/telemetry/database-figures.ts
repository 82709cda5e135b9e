import pg from 'pg';
import { ownConnection } from '#server/db/advisory-lock.ts';
import type { Place } from '#server/db/pool.ts';
import { readVoteMonthsAhead } from '#server/db/vote-months.sql.ts';
import { jobs } from '#server/jobs/catalog.ts';
import {
  readJobs,
  readMailsWaiting,
  readPaymentsToReview,
  readPaymentsWaiting,
  readSessions,
} from './database-figures.sql.ts';

/** One measured value: its labels and its number. */
interface Figure {
  labels: Record<string, string>;
  value: number;
}
/** Values of the database by the name of their metric, without those that could not be read. */
export type DatabaseFigures = ReadonlyMap<string, readonly Figure[]>;

/** Lifetime of the values. Milliseconds. */
const CACHE_MS = 5_000;
/** Time limit for all of them, so that a scrape never waits for a stalled database. Milliseconds. */
const TIMEOUT_MS = 2_000;

type Measured = [name: string, value: number | null, labels?: Record<string, string>][];

/** One query with its metrics: reads rows, and maps each row to values. */
const figureOf =
  <Row>(read: (client: pg.Client) => Promise<Row[]>, measure: (row: Row) => Measured) =>
  async (client: pg.Client): Promise<Measured> =>
    (await read(client)).flatMap(measure);

/** Read separately: a failed query does not affect the others. */
const QUESTIONS = [
  figureOf(
    (client) => readSessions(client, {}),
    ({ sessions, waiting, waited, open, idleOpen }) => [
      ['florka_database_sessions', sessions],
      ['florka_database_lock_waits', waiting],
      ['florka_database_lock_wait_seconds', waited],
      ['florka_database_oldest_transaction_seconds', open],
      ['florka_database_idle_in_transaction', idleOpen],
    ],
  ),
  figureOf(
    (client) => readJobs(client, { names: Object.keys(jobs) }),
    ({ name: job_name, waiting, active, failed, age }) => [
      ['florka_jobs', waiting, { job_name, state: 'waiting' }],
      ['florka_jobs', active, { job_name, state: 'active' }],
      ['florka_jobs', failed, { job_name, state: 'failed' }],
      ['florka_job_oldest_waiting_seconds', age ?? 0, { job_name }],
    ],
  ),
  figureOf(
    (client) => readPaymentsWaiting(client, {}),
    ({ state, n }) => [['florka_payments_waiting', n, { state }]],
  ),
  figureOf(
    (client) => readPaymentsToReview(client, {}),
    ({ attention, overdue }) => [
      ['florka_payments_attention', attention],
      ['florka_payments_overdue', overdue],
    ],
  ),
  figureOf(
    (client) => readMailsWaiting(client, {}),
    ({ status: state, n }) => [['florka_mails', n, { state }]],
  ),
  figureOf(
    (client) => readVoteMonthsAhead(client, {}),
    ({ months }) => [['florka_vote_months_ahead', months]],
  ),
];

/**
 * Reads the values that only the database has, over a separate connection, so that they are available while the pool is
 * exhausted, and past a pooler, which refuses the limits of a session. Concurrent readers share one read, and its result is used for some
 * seconds.
 *
 * @returns null when the database could not be read in time; never throws.
 */
export function createDatabaseFigures(
  config: Place,
  { cacheMs = CACHE_MS, timeoutMs = TIMEOUT_MS } = {},
): () => Promise<DatabaseFigures | null> {
  let last: { at: number; look: Promise<DatabaseFigures | null> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > cacheMs)
      last = { at: performance.now(), look: readFigures(config, timeoutMs).catch(() => null) };
    return last.look;
  };
}

async function readFigures(config: Place, timeoutMs: number): Promise<DatabaseFigures | null> {
  const client = new pg.Client({
    ...ownConnection(config, 'florka metrics'),
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => {});
  const figures = new Map<string, Figure[]>();
  let late = false;
  const work = (async () => {
    await client.connect();
    for (const question of QUESTIONS) {
      // An older database may lack the table.
      const answer = await question(client).catch((): Measured => []);
      if (late) return;
      for (const [name, value, labels = {}] of answer)
        if (value !== null) figures.set(name, [...(figures.get(name) ?? []), { labels, value }]);
    }
  })();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), timeoutMs);
  });
  try {
    const ended = await Promise.race([work, over]);
    late = ended === 'late';
    return figures.size > 0 && !late ? figures : null;
  } finally {
    late = true;
    clearTimeout(timer);
    work.catch(() => {});
    // Not awaited: a stalled server never closes the connection.
    void client.end().catch(() => {});
  }
}
