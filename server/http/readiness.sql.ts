import { boolean, int4 } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** State of the database for the readiness check. @param seconds minimum wait for a lock of the statements that are counted as waiting. */
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

/** `stand`: a job has been due for longer than `seconds`, and no job was started within them. */
export const readQueueProgress = statement({
  parameters: { seconds: int4 },
  row: { stand: boolean },
  text: (at) => `
    select exists (select 1 from jobs.job where state in ('created', 'retry')
        and start_after < now() - make_interval(secs => ${at.seconds}))
      and not exists (select 1 from jobs.job where started_on > now() - make_interval(secs => ${at.seconds})) as stand`,
});
