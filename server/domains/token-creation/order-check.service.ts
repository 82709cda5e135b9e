import { and, desc, eq, ne, sql } from 'drizzle-orm';
import type { Reader } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import { tokenApprovals, tokenProposals } from '#server/db/tables/token-creations.ts';
import { readApprovalNeeded } from './approvals.sql.ts';
import { type CreationRow, countAttempts } from './creations.service.ts';
import { hashOf, isWhole } from './snapshot.policy.ts';

/**
 * True when the stored data is what was ordered: its hash matches, and equals that of the append-only audit log. Before anything is
 * signed, it also has to be a summary that the payer confirmed before the order, with the metadata whose hash it contains.
 */
export async function isAsOrdered(db: Reader, work: CreationRow): Promise<boolean> {
  const { snapshot, snapshotHash, requestId, network } = work;
  if (!hashOf(snapshot).equals(snapshotHash)) return false;
  if (snapshot.requestId !== requestId || snapshot.network !== network) return false;
  const hash = snapshotHash.toString('hex');
  const [ordered] = await readAuditEntries(db, requestId, 'token.ordered');
  if (ordered?.hash !== hash) return false;
  // A creation that was signed before payers had to confirm every token continues unchanged.
  if (work.proposalId === null) return (await countAttempts(db, work.id)) > 0;
  const entries = await readAuditEntries(db, requestId, 'token.confirmed');
  return entries.some((entry) => entry.hash === hash && entry.id < ordered.id) && (await isConfirmed(db, work));
}

/**
 * True when an admin other than the one who ordered it approved it, or the settings do not require that now: checked by the row and
 * by the audit log, whose entries both refer to the same summary.
 */
export async function isApproved(db: Reader, { requestId, proposalId, snapshotHash }: CreationRow): Promise<boolean> {
  const [rule] = await readApprovalNeeded(db, { request: requestId });
  if (rule && !rule.needed) return true;
  const hash = snapshotHash.toString('hex');
  const [ordered] = await readAuditEntries(db, requestId, 'token.ordered');
  if (!proposalId || ordered?.hash !== hash || ordered.by === null) return false;
  const a = tokenApprovals;
  const rows = await db
    .select({ by: a.approvedBy })
    .from(a)
    .where(and(eq(a.proposalId, proposalId), eq(a.snapshotHash, snapshotHash), ne(a.approvedBy, ordered.by)));
  const entries = await readAuditEntries(db, requestId, 'token.approved');
  return rows.some(({ by }) => entries.some((entry) => entry.hash === hash && entry.by === by));
}

/** The newest audit entries of one action for a request, with their actor and the hash of the summary. */
function readAuditEntries(
  db: Reader,
  requestId: string,
  action: 'token.ordered' | 'token.confirmed' | 'token.approved',
) {
  const e = auditEvents;
  return db
    .select({ id: e.id, by: e.actorId, hash: sql`${e.after} ->> 'snapshotHash'`.mapWith(orNull(asText)) })
    .from(e)
    .where(and(eq(e.action, action), eq(e.resourceType, 'token_request'), eq(e.resourceId, requestId)))
    .orderBy(desc(e.id))
    .limit(50);
}

/** True when the proposal of a creation is its payer's confirmation of exactly this snapshot, and the metadata matches its hash. */
async function isConfirmed(db: Reader, { proposalId, requestId, snapshot, snapshotHash, metadata }: CreationRow) {
  const p = tokenProposals;
  const [proposal] = await db
    .select({ state: p.state, requestId: p.submissionId, hash: p.snapshotHash })
    .from(p)
    .where(eq(p.id, proposalId ?? ''));
  return (
    proposal?.state === 'confirmed' &&
    proposal.requestId === requestId &&
    proposal.hash.equals(snapshotHash) &&
    isWhole(snapshot, metadata)
  );
}
