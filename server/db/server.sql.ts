// Queries about the database server and its transactions, which also work before there are tables.
import { arrayOf, boolean, int4, orNull, text } from './pg-types.ts';
import { statement } from './statement.ts';

/** A lock that lasts as long as its connection. @param key of 64 bits, in decimal digits. */
export const tryAdvisoryLock = statement({
  parameters: { key: text },
  row: { taken: boolean },
  text: (at) => `select pg_try_advisory_lock(${at.key}::bigint) as taken`,
});

/** Role and database of the connection, as SQL identifiers. */
export const readNames = statement({
  parameters: {},
  row: { role: text, name: text },
  text: () => 'select quote_ident(current_user) as role, quote_ident(current_database()) as name',
});

export const readServer = statement({
  parameters: {},
  row: { version: int4, encoding: text },
  text: () =>
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
});

/**
 * Identity of a database: cluster and database, and for the embedded server, which has no network address, also its folder. It is
 * preserved by a failover, but not by loading a dump elsewhere, copying a database or copying a DATA_DIR.
 */
const PLACE = `concat_ws('/', (select system_identifier from pg_control_system()),
  (select oid from pg_database where datname = current_database()),
  case when current_setting('listen_addresses') = '' then (select setting from pg_settings where name = 'data_directory') end)`;

/** The current and the recorded identity of this database, and its pause. */
export const readInstallation = statement({
  parameters: {},
  row: { place: text, known: orNull(text), reason: orNull(text), since: orNull(text) },
  text: () => `
    select coalesce(${PLACE}, '') as place, (select value ->> 'place' from settings where key = 'installation') as known,
      (select value ->> 'reason' from settings where key = 'paused') as reason,
      (select value ->> 'since' from settings where key = 'paused') as since`,
});

export const readMigrationsApplied = statement({
  parameters: {},
  row: { name: text, sha256: text, expand: boolean },
  text: () => 'select name, sha256, expand from schema_migrations',
});

/** Waits for locks by their names, in this order; they are released when the transaction ends. */
export const lockByName = statement({
  parameters: { names: arrayOf(text) },
  row: { locked: orNull(text) },
  text: (at) =>
    `select pg_advisory_xact_lock(hashtextextended(name, 0))::text as locked from unnest(${at.names}) as names (name)`,
});

/** Sends a NOTIFY if and only if the transaction commits. */
export const sendNotification = statement({
  parameters: { channel: text, payload: text },
  row: { sent: orNull(text) },
  text: (at) => `select pg_notify(${at.channel}, ${at.payload})::text as sent`,
});
