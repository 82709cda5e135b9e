import { and, desc, eq, ne, sql } from 'drizzle-orm';
import type { Reader } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import { tokenApprovals, tokenProposals } from '#server/db/tables/token-creations.ts';
import { readApprovalNeeded } from './approvals.sql.ts';
import { type CreationRow, countAttempts } from './creations.service.ts';
import { hashOf, isWhole } from './snapshot.policy.ts';

/**
 * Whether the stored data is what somebody ordered: its hash fits, and it is the one in the audit log, which only grows. As long as nothing
 * is signed it also has to be a summary that the payer confirmed, before it was ordered, with the metadata whose hash it names.
 */
export async function isAsOrdered(db: Reader, work: CreationRow): Promise<boolean> {
  const { snapshot, snapshotHash, requestId, network } = work;
  if (!hashOf(snapshot).equals(snapshotHash)) return false;
  if (snapshot.requestId !== requestId || snapshot.network !== network) return false;
  const hash = snapshotHash.toString('hex');
  const [ordered] = await readAuditEntries(db, requestId, 'token.ordered');
  if (ordered?.hash !== hash) return false;
  // What was signed before payers confirmed every token goes on as it is.
  if (work.proposalId === null) return (await countAttempts(db, work.id)) > 0;
  const entries = await readAuditEntries(db, requestId, 'token.confirmed');
  return entries.some((entry) => entry.hash === hash && entry.id < ordered.id) && (await isConfirmed(db, work));
}

/**
 * Whether another admin than the one who ordered it approved it, where the settings ask for that now: by the row and by the audit log, whose
 * entries both name the same summary.
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

/** The newest acts of one kind about a request, with who did them and the hash of what they are about. */
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

/** Whether the row that a creation names is its payer's yes to exactly this snapshot, and the metadata are those of its hash. */
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
