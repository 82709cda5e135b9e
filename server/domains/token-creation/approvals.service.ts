import { asc, eq, sql } from 'drizzle-orm';
import type { TokenApproval } from '#contract/admin/token-creation.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { tokenApprovals, tokenProposals } from '#server/db/tables/token-creations.ts';
import { lockRequest } from '#server/domains/payments/facts/record.service.ts';
import { whyNotOrder } from '#server/domains/payments/proof/delivery-check.service.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { iso } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import { readApprovalRule } from './approvals.sql.ts';
import { countAttempts, findCreation } from './creations.service.ts';
import { briefOf, findLastConfirmed } from './proposals.service.ts';

const a = tokenApprovals;

/**
 * Stores an admin's approval of the summary that the payer confirmed last. Where the settings require a second admin, the token
 * must be ordered by another admin than the one who approved it; the approval also holds for later orders, and for an order that
 * stopped because the approval was missing.
 *
 * @throws NOT_FOUND, NOT_DELIVERABLE. @throws PROPOSAL_CHANGED when another summary counts by now, or the hash does not match.
 * @throws ALREADY_CREATED when a transaction is signed. @throws ALREADY_DONE when this admin already approved it.
 */
export function approveToken(
  db: Db,
  { simulation }: { simulation: boolean },
  by: Editor,
  { requestId: wantedId, proposalId, hash }: { requestId: string; proposalId: string; hash: string },
): Promise<void> {
  const requestId = wantedId.toLowerCase();
  return db.transaction(async (tx) => {
    await lockRequest(tx, requestId);
    const why = await whyNotOrder(tx, requestId, { simulation });
    if (why) fail('NOT_DELIVERABLE', { why });
    const there = await findCreation(tx, requestId, true);
    if (there && (there.state === 'completed' || (await countAttempts(tx, there.id)) > 0))
      fail('ALREADY_CREATED', { state: there.state, network: there.network, address: there.address });
    const counts = await findLastConfirmed(tx, requestId);
    if (counts?.id !== proposalId.toLowerCase() || counts.hash.toString('hex') !== hash)
      return fail('PROPOSAL_CHANGED');
    const { rowCount } = await tx
      .insert(a)
      .values({
        proposalId: counts.id,
        snapshotHash: counts.hash,
        approvedBy: by.actor.id ?? fail('FORBIDDEN'),
        approvedAt: by.now,
      })
      .onConflictDoNothing();
    if (!rowCount) fail('ALREADY_DONE');
    const [summary] = await tx
      .select({ snapshot: tokenProposals.snapshot })
      .from(tokenProposals)
      .where(eq(tokenProposals.id, counts.id));
    await publishChange(tx, 'tokenRequests');
    await audit(tx, by.actor, {
      action: 'token.approved',
      resourceType: 'token_request',
      resourceId: requestId,
      after: summary ? briefOf(summary.snapshot, counts.hash) : {},
    });
  });
}

/**
 * Passes when the settings require no second admin, or when an admin other than the one who orders approved exactly this summary.
 *
 * @throws SECOND_APPROVAL with the reason, and the number of other admins who may approve.
 */
export async function needApproval(
  tx: Tx,
  { requestId, proposalId }: { requestId: string; proposalId: string },
  orderedBy: string | null,
): Promise<void> {
  const [rule] = await readApprovalRule(tx, { request: requestId, admin: orderedBy });
  if (!rule?.needed) return;
  const given = await tx.select({ by: a.approvedBy }).from(a).where(eq(a.proposalId, proposalId));
  if (given.some(({ by }) => by !== orderedBy)) return;
  fail('SECOND_APPROVAL', { why: given.length === 0 ? 'missing' : 'own', otherAdmins: rule.otherAdmins });
}

/**
 * State of the second admin's approval of a request: the summary that it is about, and the admins who gave it. @param reader the
 * admin who reads it.
 */
export async function readApproval(db: Reader, requestId: string, reader: string | null): Promise<TokenApproval> {
  const [rule] = await readApprovalRule(db, { request: requestId, admin: reader });
  const counts = await findLastConfirmed(db, requestId);
  const given = counts
    ? await db
        .select({
          id: a.approvedBy,
          by: sql`coalesce(${forumUsers.username}, ${users.email})`.mapWith(orNull(asText)),
          at: a.approvedAt,
        })
        .from(a)
        .leftJoin(users, eq(users.id, a.approvedBy))
        .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
        .where(eq(a.proposalId, counts.id))
        .orderBy(asc(a.approvedAt), asc(a.id))
    : [];
  const { needed = true, amountUsd = 0, aboveUsd = null, otherAdmins = 0 } = rule ?? {};
  return {
    ...{ needed, amountUsd, aboveUsd, otherAdmins },
    proposal: counts && { id: counts.id, hash: counts.hash.toString('hex') },
    given: given.map(({ id, by, at }) => ({ by, mine: id === reader, at: iso(at) })),
  };
}
