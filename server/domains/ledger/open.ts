import { parseKey } from '#verify/note.ts';
import type { Witness } from './witness-client.ts';

interface Settings {
  LEDGER_KEY: string;
  LEDGER_WITNESS_URL?: string | undefined;
  LEDGER_WITNESS_KEY?: string | undefined;
  AUDIT_ANCHOR_FILE?: string | undefined;
}

/** The key of the ledger, its witness and where the audit log is noted, as configured. */
export function openLedger(env: Settings): { seed: Uint8Array; witness: Witness | null; anchorFile: string | null } {
  const key = env.LEDGER_WITNESS_KEY ? parseKey(env.LEDGER_WITNESS_KEY) : null;
  const witness = key && env.LEDGER_WITNESS_URL ? { url: env.LEDGER_WITNESS_URL, key } : null;
  return { seed: Buffer.from(env.LEDGER_KEY, 'hex'), witness, anchorFile: env.AUDIT_ANCHOR_FILE ?? null };
}
