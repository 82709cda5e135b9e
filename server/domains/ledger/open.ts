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

/** The last checkpoint that this installation signed, in its DATA_DIR; excluded from backups, and never restored. */
export const LEDGER_SEEN = 'ledger-seen';

/** Configuration of a ledger outside of its tables. */
export interface LedgerSettings {
  seed: Uint8Array;
  witness: Witness | null;
  /** Where this installation records its signed checkpoints. */
  seen: SeenCheckpoint;
  /** File to which the audit log is anchored every hour. */
  anchorFile: string | null;
}

/** The configured key, witness, checkpoint file and audit log file of the ledger. */
export function openLedger(env: Settings): LedgerSettings {
  const key = env.LEDGER_WITNESS_KEY ? parseKey(env.LEDGER_WITNESS_KEY) : null;
  const witness = key && env.LEDGER_WITNESS_URL ? { url: env.LEDGER_WITNESS_URL, key } : null;
  const seen = seenInFile(path.join(env.DATA_DIR, LEDGER_SEEN));
  return { seed: Buffer.from(env.LEDGER_KEY, 'hex'), witness, seen, anchorFile: env.AUDIT_ANCHOR_FILE ?? null };
}
