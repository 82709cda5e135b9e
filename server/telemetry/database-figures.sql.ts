import { arrayOf, float8, int8, orNull, text } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** Sessions of this database except the querying one; times in seconds. */
export const readSessions = statement({
  parameters: {},
  row: { sessions: int8, waiting: int8, waited: float8, open: float8, idleOpen: int8 },
  text: () => `
    select count(*) as sessions, count(*) filter (where wait_event_type = 'Lock') as waiting,
      coalesce(max(extract(epoch from clock_timestamp() - query_start)) filter (where wait_event_type = 'Lock'), 0)::float8 as waited,
      coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 as open,
      count(*) filter (where state like 'idle in transaction%') as "idleOpen"
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
});

/**
 * For each of these jobs the number of waiting, running and failed ones, and the seconds since the oldest waiting one
 * is due.
 */
export const readJobs = statement({
  parameters: { names: arrayOf(text) },
  row: { name: text, waiting: int8, active: int8, failed: int8, age: orNull(float8) },
  text: (at) => `
    select coalesce(n.name, '') as name,
      count(*) filter (where j.start_after <= now() and j.state in ('created', 'retry')) as waiting,
      count(*) filter (where j.state = 'active') as active, count(*) filter (where j.state = 'failed') as failed,
      (extract(epoch from now() - min(j.start_after)
        filter (where j.start_after <= now() and j.state in ('created', 'retry'))))::float8 as age
    from unnest(${at.names}) n (name)
    left join jobs.job j on j.name = n.name and j.state in ('created', 'retry', 'active', 'failed') group by n.name`,
});

export const readPaymentsWaiting = statement({
  parameters: {},
  row: { state: text, n: int8 },
  text: () => `
    select coalesce(s.state, '') as state, count(p.id) as n
    from unnest(array['awaiting', 'confirming', 'partially_paid', 'under_review']) s (state)
    left join payments p on p.state = s.state and p.is_current group by s.state`,
});

/** Payments that need a person, and those whose check at the provider is overdue. */
export const readPaymentsToReview = statement({
  parameters: {},
  row: { attention: int8, overdue: int8 },
  text: () => `
    select count(*) filter (where attention <> '{}') as attention,
      count(*) filter (where next_check_at < now() - interval '30 minutes') as overdue
    from payments where attention <> '{}' or next_check_at is not null`,
});

export const readMailsWaiting = statement({
  parameters: {},
  row: { status: text, n: int8 },
  text: () => `
    select coalesce(s.status, '') as status, count(m.id) as n from unnest(array['queued', 'failed']) s (status)
    left join mails m on m.status = s.status group by s.status`,
});
