import { orNull, text } from './pg-types.ts';
import { statement } from './statement.ts';

/**
 * Position up to which the log of the primary is on disk: every acknowledged commit is before it. In bytes since the start of the
 * log, as decimal digits.
 */
export const readPrimaryPosition = statement({
  parameters: {},
  row: { position: text },
  text: () => `select coalesce(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::text, '0') as position`,
});

/** Position up to which a replica has replayed the log; null on a server that is not a replica. */
export const readReplayed = statement({
  parameters: {},
  row: { replayed: orNull(text) },
  text: () =>
    `select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text end as replayed`,
});

/** Identifier of the copied system, for the report. */
export const readSystem = statement({
  parameters: {},
  row: { system: text },
  text: () => `select coalesce((select system_identifier::text from pg_control_system()), '') as system`,
});
