import { and, asc, desc, eq, gt } from 'drizzle-orm';
import type { Reader } from '#server/db/client.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import type { ChainNetwork } from '#server/providers/chains/port.ts';

/** What the signer remembers beside the database, so that nobody who writes there can make it forget. */
export interface SignerMemory {
  /** Tokens whose first transaction was signed on a network in a UTC day, other requests' only. */
  usedOn(network: ChainNetwork, day: string, exceptRequest: string): number;
  /** Whether a deposit has paid for no other request's token. */
  isFree(depositId: string, requestId: string): boolean;
  /**
   * Remembers that a request's token is signed on this day, and what has paid for it; again for the same request changes nothing.
   *
   * @returns why it must not be; null: it is remembered, and survives a power cut.
   */
  spend(what: {
    network: ChainNetwork;
    requestId: string;
    deposits: readonly string[];
    /** UTC, `2026-01-31`. */
    day: string;
    cap: number;
  }): 'cap_reached' | 'payment_elsewhere' | null;
  /** The newest entry of the audit log that was seen, its hash in hex. */
  readonly audit: { id: number; hash: string } | null;
  noteAudit(seen: { id: number; hash: string }): void;
}

/** Entries that are read at once. */
const PAGE = 2_000;

/**
 * Whether the audit log goes on from where this signer last saw it: that entry is as it was, and each one after it follows from the one
 * before. Then its newest entry is remembered. A log that was written anew, cut off or put back from a backup does not.
 */
export async function continuesAudit(db: Reader, memory: SignerMemory): Promise<boolean> {
  const { id, hash, prevHash } = auditEvents;
  let seen = memory.audit;
  if (!seen) {
    const [newest] = await db.select({ id, hash }).from(auditEvents).orderBy(desc(id)).limit(1);
    if (newest) memory.noteAudit({ id: Number(newest.id), hash: newest.hash.toString('hex') });
    return true;
  }
  const [known] = await db
    .select({ hash })
    .from(auditEvents)
    .where(and(eq(id, seen.id)));
  if (known?.hash.toString('hex') !== seen.hash) return false;
  for (;;) {
    const rows = await db
      .select({ id, hash, prevHash })
      .from(auditEvents)
      .where(gt(id, seen.id))
      .orderBy(asc(id))
      .limit(PAGE);
    for (const row of rows) {
      if (row.prevHash.toString('hex') !== seen.hash) return false;
      seen = { id: Number(row.id), hash: row.hash.toString('hex') };
    }
    if (rows.length < PAGE) break;
  }
  if (seen.id !== memory.audit?.id) memory.noteAudit(seen);
  return true;
}
