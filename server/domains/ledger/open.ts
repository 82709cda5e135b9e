import path from 'node:path';
import { parseKey } from '#verify/note.ts';
import { type SeenCheckpoint, seenInFile } from './continuity.service.ts';
import type { Witness } from './witness-client.ts';

interface Settings {
  DATA_DIR: string;
  LEDGER_KEY: string;
  LEDGER_WITNESS_URL?: string | undefined;
  LEDGER_WITNESS_KEY?: string | undefined;
  AUDIT_ANCHOR_FILE?: string | undefined;
}

/** The last checkpoint that this installation signed, in its DATA_DIR; never in a backup, and never restored. */
export const LEDGER_SEEN = 'ledger-seen';

/** What there is of a ledger beside its tables. */
export interface LedgerSettings {
  seed: Uint8Array;
  witness: Witness | null;
  /** Where this installation keeps what it signed. */
  seen: SeenCheckpoint;
  /** Where the audit log is noted every hour. */
  anchorFile: string | null;
}

/** The key of the ledger, its witness, its memory and where the audit log is noted, as configured. */
export function openLedger(env: Settings): LedgerSettings {
  const key = env.LEDGER_WITNESS_KEY ? parseKey(env.LEDGER_WITNESS_KEY) : null;
  const witness = key && env.LEDGER_WITNESS_URL ? { url: env.LEDGER_WITNESS_URL, key } : null;
  const seen = seenInFile(path.join(env.DATA_DIR, LEDGER_SEEN));
  return { seed: Buffer.from(env.LEDGER_KEY, 'hex'), witness, seen, anchorFile: env.AUDIT_ANCHOR_FILE ?? null };
}
