import { orNull, text } from './pg-types.ts';
import { statement } from './statement.ts';

/**
 * How far the log of the primary is on disk: every transaction whose end anybody was told of is before that. In bytes since the
 * begin of the log, as decimal digits.
 */
export const readPrimaryPosition = statement({
  parameters: {},
  row: { position: text },
  text: () => `select coalesce(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::text, '0') as position`,
});

/** How far a replica shows it; null on a server that follows nobody. */
export const readReplayed = statement({
  parameters: {},
  row: { replayed: orNull(text) },
  text: () =>
    `select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text end as replayed`,
});

/** Whose copy it is, for the report. */
export const readSystem = statement({
  parameters: {},
  row: { system: text },
  text: () => `select coalesce((select system_identifier::text from pg_control_system()), '') as system`,
});
