import path from 'node:path';
import { parseKey } from '#verify/note.ts';
import { type SeenCheckpoint, seenInFile } from './continuity.service.ts';
import type { Witness } from './witness-client.ts';

interface Settings {
  DATA_DIR: string;
  LEDGER_KEY: string;
  LEDGER_WITNESS_URL?: string | undefined;
  LEDGER_WITNESS_KEY?: string | undefined;
}

/** The last checkpoint that this installation signed, in its DATA_DIR; never in a backup, and never restored. */
export const LEDGER_SEEN = 'ledger-seen';

/** The key of the ledger, its witness and its memory, as configured. */
export function openLedger(env: Settings): { seed: Uint8Array; witness: Witness | null; seen: SeenCheckpoint } {
  const key = env.LEDGER_WITNESS_KEY ? parseKey(env.LEDGER_WITNESS_KEY) : null;
  const witness = key && env.LEDGER_WITNESS_URL ? { url: env.LEDGER_WITNESS_URL, key } : null;
  const seen = seenInFile(path.join(env.DATA_DIR, LEDGER_SEEN));
  return { seed: Buffer.from(env.LEDGER_KEY, 'hex'), witness, seen };
}
