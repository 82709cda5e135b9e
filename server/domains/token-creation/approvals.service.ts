import { asc, eq, sql } from 'drizzle-orm';
import type { TokenApproval } from '#contract/admin/token-creation.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { tokenApprovals, tokenProposals } from '#server/db/tables/token-creations.ts';
import { lockRequest } from '#server/domains/payments/ledger.service.ts';
import { whyNotDeliver } from '#server/domains/payments/payment-check.service.ts';
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
 * An admin's yes to the summary that a payer confirmed last. Whoever orders the token where the settings ask for a second admin has to be
 * another one; the same yes is good for orders that are given later, and for one that stopped for want of it.
 *
 * @throws NOT_FOUND, NOT_DELIVERABLE. @throws PROPOSAL_CHANGED when another summary counts by now, or this hash is not its.
 * @throws ALREADY_CREATED when something is signed. @throws ALREADY_DONE when this admin approved it before.
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
    const why = await whyNotDeliver(tx, requestId, { simulation });
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
 * Lets an order through when the settings ask for no second admin, or another one than who orders approved exactly this.
 *
 * @throws SECOND_APPROVAL with why, and how many admins there are beside who asks.
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

/** What the second admin's approval of a request is about, and who gave it. @param reader the admin who asks. */
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
