import pg from 'pg';
import { jobs } from '#server/jobs/catalog.ts';

/** One measured value: its labels and its number. */
interface Figure {
  labels: Record<string, string>;
  value: number;
}
/** Values of the database by the name of their metric; what could not be read is not there. */
export type DatabaseFigures = ReadonlyMap<string, readonly Figure[]>;

/** How long values are good for. Milliseconds. */
const KEEP = 5_000;
/** Longest wait for all of them, so that a scrape never waits for a stalled database. Milliseconds. */
const TIMEOUT_MS = 2_000;

interface Question {
  text: string;
  values?: unknown[];
  read: (row: Record<string, string | number | null>) => [string, number | null, Record<string, string>?][];
}

const num = (value: string | number | null | undefined) =>
  value === null || value === undefined ? null : Number(value);

/** Each is asked for itself: one that fails takes nothing from the others. */
const QUESTIONS: Question[] = [
  {
    text: `select count(*) as sessions, count(*) filter (where wait_event_type = 'Lock') as waiting,
        coalesce(max(extract(epoch from clock_timestamp() - query_start)) filter (where wait_event_type = 'Lock'), 0) as waited,
        coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0) as open,
        count(*) filter (where state like 'idle in transaction%') as idle_open
      from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    read: (row) => [
      ['florka_database_sessions', num(row['sessions'])],
      ['florka_database_lock_waits', num(row['waiting'])],
      ['florka_database_lock_wait_seconds', num(row['waited'])],
      ['florka_database_oldest_transaction_seconds', num(row['open'])],
      ['florka_database_idle_in_transaction', num(row['idle_open'])],
    ],
  },
  {
    text: `select n.name, count(*) filter (where j.start_after <= now() and j.state in ('created', 'retry')) as waiting,
        count(*) filter (where j.state = 'active') as active, count(*) filter (where j.state = 'failed') as failed,
        extract(epoch from now() - min(j.start_after)
          filter (where j.start_after <= now() and j.state in ('created', 'retry'))) as age
      from unnest($1::text[]) n (name)
      left join jobs.job j on j.name = n.name and j.state in ('created', 'retry', 'active', 'failed') group by n.name`,
    values: [Object.keys(jobs)],
    read: (row) => {
      const job_name = String(row['name']);
      return [
        ['florka_jobs', num(row['waiting']), { job_name, state: 'waiting' }],
        ['florka_jobs', num(row['active']), { job_name, state: 'active' }],
        ['florka_jobs', num(row['failed']), { job_name, state: 'failed' }],
        ['florka_job_oldest_waiting_seconds', num(row['age']) ?? 0, { job_name }],
      ];
    },
  },
  {
    text: `select s.state, count(p.id) as n
      from unnest(array['awaiting', 'confirming', 'partially_paid', 'under_review']) s (state)
      left join payments p on p.state = s.state and p.is_current group by s.state`,
    read: (row) => [['florka_payments_waiting', num(row['n']), { state: String(row['state']) }]],
  },
  {
    text: `select count(*) filter (where attention <> '{}') as attention,
        count(*) filter (where next_check_at < now() - interval '30 minutes') as overdue
      from payments where attention <> '{}' or next_check_at is not null`,
    read: (row) => [
      ['florka_payments_attention', num(row['attention'])],
      ['florka_payments_overdue', num(row['overdue'])],
    ],
  },
  {
    text: `select s.status, count(m.id) as n from unnest(array['queued', 'failed']) s (status)
      left join mails m on m.status = s.status group by s.status`,
    read: (row) => [['florka_mails', num(row['n']), { state: String(row['status']) }]],
  },
];

/**
 * Reads what only the database knows, over a connection of its own, so that a full pool hides nothing. Readers at the
 * same time share one look, and a look is good for a few seconds.
 *
 * @returns null when the database could not be asked in time; never throws.
 */
export function createDatabaseFigures(
  config: pg.ClientConfig,
  { keep = KEEP, patience = TIMEOUT_MS } = {},
): () => Promise<DatabaseFigures | null> {
  let last: { at: number; look: Promise<DatabaseFigures | null> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > keep)
      last = { at: performance.now(), look: look(config, patience).catch(() => null) };
    return last.look;
  };
}

async function look(config: pg.ClientConfig, patience: number): Promise<DatabaseFigures | null> {
  const client = new pg.Client({
    ...config,
    application_name: 'florka metrics',
    connectionTimeoutMillis: patience,
    statement_timeout: patience,
    query_timeout: patience,
  });
  client.on('error', () => {});
  const figures = new Map<string, Figure[]>();
  let late = false;
  const work = (async () => {
    await client.connect();
    for (const { text, values, read } of QUESTIONS) {
      // A table that an older database lacks.
      const answer = await client.query<Record<string, string | number | null>>(text, values).catch(() => null);
      if (late) return;
      for (const row of answer?.rows ?? [])
        for (const [name, value, labels = {}] of read(row))
          if (value !== null) figures.set(name, [...(figures.get(name) ?? []), { labels, value }]);
    }
  })();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), patience);
  });
  try {
    const ended = await Promise.race([work, over]);
    late = ended === 'late';
    return figures.size > 0 && !late ? figures : null;
  } finally {
    late = true;
    clearTimeout(timer);
    work.catch(() => {});
    // Not waited for: a stalled server never says goodbye.
    void client.end().catch(() => {});
  }
}
