import { boolean, int4 } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** How the database is, as far as readiness asks. @param seconds of waiting for a lock that count. */
export const readState = statement({
  parameters: { seconds: int4 },
  row: { readOnly: boolean, prepared: boolean, queued: boolean, waiting: int4 },
  text: (at) => `
    select current_setting('transaction_read_only') = 'on' as "readOnly",
      to_regclass('public.schema_migrations') is not null as prepared,
      to_regclass('jobs.job') is not null as queued,
      (select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query_start < now() - make_interval(secs => ${at.seconds})) as waiting`,
});

/** Whether jobs are due for so many seconds and nobody took any. */
export const readQueueProgress = statement({
  parameters: { seconds: int4 },
  row: { stand: boolean },
  text: (at) => `
    select exists (select 1 from jobs.job where state in ('created', 'retry')
        and start_after < now() - make_interval(secs => ${at.seconds}))
      and not exists (select 1 from jobs.job where started_on > now() - make_interval(secs => ${at.seconds})) as stand`,
});
