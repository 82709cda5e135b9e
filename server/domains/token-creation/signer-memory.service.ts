import { and, asc, desc, eq, gt } from 'drizzle-orm';
import type { TokenNetwork } from '#contract/networks.ts';
import type { Reader } from '#server/db/client.ts';
import { auditEvents } from '#server/db/tables/audit.ts';

/** State of the signer outside of the database, so that write access to the database can't reset it. */
export interface SignerMemory {
  /** Number of tokens whose first transaction was signed on a network in a UTC day, without this request's. */
  usedOn(network: TokenNetwork, day: string, exceptRequest: string): number;
  /** True when a deposit has paid for no other request's token. */
  isFree(depositId: string, requestId: string): boolean;
  /**
   * Records that a request's token is signed on this day, and the deposits that pay for it; idempotent per request.
   *
   * @returns the reason for a refusal; null when it is recorded durably (it survives a power cut).
   */
  spend(what: {
    network: TokenNetwork;
    requestId: string;
    deposits: readonly string[];
    /** UTC, `2026-01-31`. */
    day: string;
    cap: number;
  }): 'cap_reached' | 'payment_elsewhere' | null;
  /** The newest audit log entry that the signer has seen, with its hash in hex. */
  readonly audit: { id: number; hash: string } | null;
  rememberAuditEntry(seen: { id: number; hash: string }): void;
}

/** Entries per query. */
const PAGE = 2_000;

/**
 * True when the audit log continues from the entry that this signer saw last: that entry is unchanged, and every later one is
 * chained to its predecessor. Then the newest entry is recorded. False for a log that was rewritten, truncated or restored from a
 * backup. Without an entry yet, it is true and the newest entry is recorded.
 */
export async function continuesAudit(db: Reader, memory: SignerMemory): Promise<boolean> {
  const { id, hash, prevHash } = auditEvents;
  let seen = memory.audit;
  if (!seen) {
    const [newest] = await db.select({ id, hash }).from(auditEvents).orderBy(desc(id)).limit(1);
    if (newest) memory.rememberAuditEntry({ id: Number(newest.id), hash: newest.hash.toString('hex') });
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
  if (seen.id !== memory.audit?.id) memory.rememberAuditEntry(seen);
  return true;
}
