import { arrayOf, boolean, int8, oneOf, orNull, text } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';

/** Jobs of these names that wait. */
export const forgetWaitingJobs = command({
  parameters: { names: arrayOf(text) },
  text: (at) => `delete from jobs.job where state = 'created' and name = any(${at.names})`,
});

/** Number of entries of the audit log, and the newest one; ids as decimal digits. */
export const readAuditEnd = statement({
  parameters: {},
  row: { n: int8, newest: orNull(text), hash: orNull(text) },
  text: () => `
    select count(*) as n, max(id)::text as newest,
      (select encode(hash, 'hex') from audit_events order by id desc limit 1) as hash from audit_events`,
});

/** The hash of an entry as the trigger audit_chain computed it in a session that many hours east of UTC. */
const hashedAt = (east: string) => `sha256(prev_hash || convert_to((jsonb_build_array(
  (to_jsonb((at at time zone 'UTC') + ${east}::interval) #>> '{}') || ${east}, actor_id, actor_role, action, resource_type, resource_id,
  before, after, reason, encode(ip_hash, 'hex'), request_id)
  || case when address is null then '[]'::jsonb else jsonb_build_array(address) end)::text, 'UTF8'))`;

/**
 * The first entry of the chain that is not as the trigger audit_chain wrote it, or does not follow the one before. The trigger hashes
 * instants in the time zone of its session. A database that was restored elsewhere, or whose time zone was changed, has entries of
 * several: an entry counts with any of the offsets, for each names the same instant.
 */
export const readBroken = statement({
  parameters: { offsets: arrayOf(text) },
  row: { id: text, linked: boolean },
  text: (at) => `
    select id::text as id, coalesce(linked, false) as linked from (
      select id, prev_hash = lag(hash, 1, '\\x'::bytea) over (order by id) as linked,
        hash = ${hashedAt("'+00:00'")}
          or exists (select from unnest(${at.offsets}) zones (east) where hash = ${hashedAt('east')}) as whole
      from audit_events
    ) checked
    where not (linked and whole) order by checked.id limit 1`,
});

/** Leaves of the ledger that name an entry of the audit log that is not there, or not as it was. */
export const readContradictions = statement({
  parameters: {},
  row: { leaf: text, entry: text },
  text: () => `
    select seq::text as leaf, coalesce(named.entry, '') as entry
    from ledger_leaves cross join lateral
      (select substring(ledger_leaves.entry from ' entry=(\\d+)') as entry,
        substring(ledger_leaves.entry from ' hash=([0-9a-f]{64})$') as hash) named
    where ledger_leaves.entry like 'florka-audit/1 %'
      and not exists (select 1 from audit_events a where a.id = named.entry::bigint and encode(a.hash, 'hex') = named.hash)
    order by seq limit 1`,
});

export const readServerVersion = statement({
  parameters: {},
  row: { version: text },
  text: () => `select current_setting('server_version') as version`,
});

/** Tables whose rows belong into a backup, in a fixed order, those in parts as a whole; what migrations ran is in its list of contents. */
export const readTables = statement({
  parameters: {},
  row: { schema: oneOf(['public', 'jobs']), name: text, columns: arrayOf(text) },
  text: () => `
    select n.nspname::text as schema, c.relname::text as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            and a.attgenerated = '' order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where (n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'schema_migrations')
      -- Of the queue only what waits and what was done: everything else it makes anew.
      or (n.nspname = 'jobs' and c.relname = 'job')
    order by 1, 2`,
});

export const readSequences = statement({
  parameters: {},
  row: { schema: oneOf(['public']), name: text, last: orNull(text) },
  text: () => `
    select coalesce(schemaname::text, '') as schema, coalesce(sequencename::text, '') as name, last_value::text as last
    from pg_sequences where schemaname = 'public' order by 1, 2`,
});

/** References between the tables, as SQL that makes them again; those of parts come with their table's. */
export const readReferences = statement({
  parameters: {},
  row: { table: text, name: text, definition: text },
  text: () => `
    select conrelid::regclass::text as table, quote_ident(conname) as name,
      coalesce(pg_get_constraintdef(oid), '') as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0 order by 1, 2`,
});
