import { and, eq, gt, isNull, or } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { creationAttempts, tokenCreations } from '#server/db/tables/token-creations.ts';
import { whyNotOrder } from '#server/domains/payments/proof/delivery-check.service.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import type { Editor } from '#server/records/records.ts';
import { type CreationRow, countAttempts, findCreation } from './creations.service.ts';

/** Age after which a transaction that expires cannot land any more, even on a chain that stalled for hours. Milliseconds. */
const EXPIRED_MS = 86_400_000;

/**
 * Stops the creation of a request whose refund is claimed, in the transaction of the claim, in which the request is locked: the signer stores
 * a signature only for a creation that is under way, under the same lock. One that stopped before anything was signed, or that other money
 * pays for, does not change.
 *
 * @param refund.number number of the claimed refund, for the audit log.
 * @throws REFUND_REFUSED ('creating') when it is signed: the token may already exist, or a signed transaction may still land, also while the
 *   creation is held. Not when the chain refused it, the created token does not match the order, or all transactions expired a day ago.
 */
export async function stopForRefund(
  tx: Tx,
  by: Editor,
  { submissionId: requestId, number }: { submissionId: string; number: string },
): Promise<void> {
  const creation = await findCreation(tx, requestId, true);
  if (!creation || creation.state === 'completed') return;
  const why = await whyNotOrder(tx, requestId, { simulation: creation.simulation });
  if (why !== 'refund_claimed') return;
  const isOver = creation.state === 'failed' && (creation.problem === 'refused' || creation.problem === 'mismatch');
  if (!isOver && (await mayLand(tx, creation, by.now))) fail('REFUND_REFUSED', { why: 'creating' });
  if (creation.state !== 'queued' && creation.state !== 'working') return;
  await tx
    .update(tokenCreations)
    .set({
      state: 'held',
      stage: 'stopped',
      problem: 'refund_claimed',
      detail: `Refund ${number} is claimed`,
      retries: 0,
      nextAttemptAt: null,
      updatedAt: by.now,
    })
    .where(eq(tokenCreations.id, creation.id));
  await publishChange(tx, 'tokenRequests');
  await audit(tx, by.actor, {
    action: 'token.held',
    resourceType: 'token_request',
    resourceId: requestId,
    before: { state: creation.state },
    after: { problem: 'refund_claimed', detail: number, attempts: 0 },
  });
}

/** True when a signed transaction may still create the token. A creation under way may sign again at any moment after the first one. */
async function mayLand(tx: Tx, { id, state }: Pick<CreationRow, 'id' | 'state'>, now: Date): Promise<boolean> {
  if (state === 'queued' || state === 'working') return (await countAttempts(tx, id)) > 0;
  const a = creationAttempts;
  const isOpen = or(isNull(a.validUntil), gt(a.signedAt, new Date(now.getTime() - EXPIRED_MS)));
  return (await tx.$count(a, and(eq(a.creationId, id), isNull(a.outcome), isOpen))) > 0;
}
