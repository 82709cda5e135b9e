import { arrayOf, boolean, int4, int8, orNull, text, timestamptz } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** Whether a table exists. @param name with its schema. */
export const readTableExists = statement({
  parameters: { name: text },
  row: { there: boolean },
  text: (at) => `select to_regclass(${at.name}) is not null as there`,
});

export const readDemoSeeded = statement({
  parameters: {},
  row: { at: timestamptz },
  text: () => `select at from audit_events where action = 'demo.seeded' limit 1`,
});

/** Sizes in bytes. */
export const readDatabase = statement({
  parameters: {},
  row: { version: text, size: int8, zone: text, connections: int4, max: int4 },
  text: () => `
    select current_setting('server_version') as version, coalesce(pg_database_size(current_database()), 0) as size,
      current_setting('TimeZone') as zone,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as max`,
});

/** The archive of the log, as PostgreSQL counts it since its statistics were reset. */
export const readArchive = statement({
  parameters: {},
  row: {
    mode: text,
    archived: orNull(timestamptz),
    failed: orNull(timestamptz),
    segment: orNull(text),
  },
  text: () => `
    select current_setting('archive_mode') as mode, last_archived_time as archived, last_failed_time as failed,
      last_failed_wal as segment
    from pg_stat_archiver`,
});

export const readLargestTables = statement({
  parameters: { max: int4 },
  row: { name: text, size: int8 },
  text: (at) => `
    select coalesce(coalesce(i.inhparent, t.relid)::regclass::text, '') as name,
      coalesce(sum(pg_total_relation_size(t.relid)), 0)::bigint as size
    from pg_stat_user_tables t left join pg_inherits i on i.inhrelid = t.relid where t.schemaname = 'public'
    group by 1 order by 2 desc limit ${at.max}`,
});

export const readJobStates = statement({
  parameters: {},
  row: { state: text, n: int4 },
  text: () => 'select state::text, count(*)::int as n from jobs.job group by state order by state',
});

export const readFailedJobs = statement({
  parameters: {},
  row: { name: text, n: int4, newest: orNull(timestamptz) },
  text: () => `select name, count(*)::int as n, max(completed_on) as newest from jobs.job where state = 'failed'
    group by name order by name`,
});

/**
 * The oldest due job of these names; the running jobs whose lease has ended, and those of them without a heartbeat for two minutes.
 */
export const readJobProblems = statement({
  parameters: { names: arrayOf(text), leaseSeconds: int4 },
  row: { oldest: orNull(timestamptz), lost: int4, long: int4 },
  text: (at) => `
    select (select min(start_after) from jobs.job
        where state in ('created', 'retry') and start_after <= now() and name = any(${at.names})) as oldest,
      count(*)::int as lost, (count(*) filter (where heartbeat_on < now() - interval '2 minutes'))::int as long
    from jobs.job where state = 'active' and heartbeat_on < now() - make_interval(secs => ${at.leaseSeconds})`,
});

/** Changes of votes that are not in the ledger yet (counted up to 100,000), and whether the oldest one is late. */
export const readWaitingChanges = statement({
  parameters: { minutes: int4 },
  row: { waiting: int4, late: boolean },
  text: (at) => `
    select count(*)::int as waiting,
      coalesce(min(changed_at) < now() - make_interval(mins => ${at.minutes}), false) as late
    from (select changed_at from vote_changes order by id limit 100000) c`,
});

export const readMailStates = statement({
  parameters: {},
  row: { status: text, n: int4, newest: timestamptz },
  text: () => 'select status, count(*)::int as n, max(created_at) as newest from mails group by status order by status',
});

export const readImages = statement({
  parameters: {},
  row: { n: int4, used: int4 },
  text: () => `
    select count(*)::int as n, (count(*) filter (where status = 'used'))::int as used from media where deleted_at is null`,
});

/** Every file of an image in use, and of a created token, by its name in the storage. */
export const readShownFiles = statement({
  parameters: {},
  row: { file: text },
  text: () => `
    select coalesce(v ->> 'file', '') as file from media m, jsonb_array_elements(m.variants) v
    where m.deleted_at is null and m.status = 'used'
    union all
    select coalesce('token-files/' || f.name, '') from token_creations c, lateral (values
      ((c.snapshot ->> 'picture') || '.png'), ((c.snapshot ->> 'metadata') || '.json')) f(name)
    where c.state = 'completed' and f.name ~ '^[0-9a-f]{64}'`,
});

/** An authenticator app or a passkey is a second factor. */
export const readStaff = statement({
  parameters: {},
  row: { admins: int4, unprotected: int4, moderators: int4 },
  text: () => `
    select count(*)::int as admins,
      (count(*) filter (where s.user_id is null
        and not exists (select 1 from passkeys k where k.user_id = p.id)))::int as unprotected,
      (select count(*)::int from user_roles where role = 'moderator') as moderators
    from admin_profiles p left join second_factors s on s.user_id = p.id and s.confirmed_at is not null`,
});

export const readPaymentStates = statement({
  parameters: {},
  row: { state: text, n: int4 },
  text: () => 'select state, count(*)::int as n from payments group by state order by state',
});

export const readPaymentProblems = statement({
  parameters: {},
  row: { attention: int4, lastPolled: orNull(timestamptz), late: int4 },
  text: () => `
    select (count(*) filter (where attention <> '{}'))::int as attention, max(asked_at) as "lastPolled",
      (count(*) filter (where next_check_at < now() - interval '30 minutes'))::int as late from payments`,
});

/** The last complete comparison of the money ledger with the provider, and its open differences. */
export const readSettlement = statement({
  parameters: {},
  row: { at: orNull(timestamptz), open: int4 },
  text: () => `
    select (select max(finished_at) from settlement_runs where state = 'whole') as at,
      coalesce((select count(*)::int from settlement_differences where gone_at is null and explained_at is null), 0) as open`,
});

export const readCreationStates = statement({
  parameters: {},
  row: { state: text, n: int4 },
  text: () => 'select state, count(*)::int as n from token_creations group by state order by state',
});

/** The workers of the signer, and networks with waiting creations. */
export const readSigners = statement({
  parameters: {},
  row: {
    network: text,
    state: orNull(text),
    seen: orNull(timestamptz),
    silent: boolean,
    enough: orNull(int4),
    used: int4,
    cap: orNull(int4),
    waiting: int4,
  },
  text: () => `
    select coalesce(l.network, w.network, '') as network, l.state, l.seen_at as seen,
      coalesce(l.seen_at < now() - interval '60 seconds', true) as silent, l.enough_for as enough,
      coalesce(case when l.used_on = (now() at time zone 'utc')::date then l.used_today end, 0) as used, l.daily_cap as cap,
      coalesce(w.n, 0)::int as waiting
    from signer_workers l full join (select network, count(*) as n from token_creations where state in ('queued', 'working')
      group by network) w on w.network = l.network order by 1`,
});

/** State of a Telegram bot: whether a process reads its updates, and its messages by state. */
export const readBot = statement({
  parameters: { bot: int8 },
  row: { read: boolean, paused: boolean, chats: int4, waiting: int4, failed: int4 },
  text: (at) => `
    select exists (select 1 from telegram_bots where bot_id = ${at.bot} and leased_until > clock_timestamp()) as read,
      exists (select 1 from telegram_bots where bot_id = ${at.bot} and paused_until > clock_timestamp()) as paused,
      (select count(*)::int from telegram_chats where bot_id = ${at.bot}) as chats,
      (count(*) filter (where state in ('waiting', 'sending')))::int as waiting,
      (count(*) filter (where state = 'failed' and created_at > now() - interval '1 day'))::int as failed
    from telegram_messages where bot_id = ${at.bot}`,
});
