import { eq } from 'drizzle-orm';
import type { TokenCreation } from '#contract/admin/token-creation.ts';
import { isConfusable, type TokenInput } from '#contract/fields/token-form.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { sendNotification } from '#server/db/server.sql.ts';
import { type StoredSnapshot, tokenCreations } from '#server/db/tables/token-creations.ts';
import { lockRequest } from '#server/domains/payments/facts/record.service.ts';
import type { PaymentService } from '#server/domains/payments/payments.port.ts';
import { isClosed, whyNotOrder } from '#server/domains/payments/proof/delivery-check.service.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import type { Editor } from '#server/records/records.ts';
import { needApproval } from './approvals.service.ts';
import { CREATIONS_CHANNEL, type CreationRow, countAttempts, findCreation, readCreation } from './creations.service.ts';
import { briefOf, findConfirmed, findLastConfirmed, needConfirmed, replaceOpen } from './proposals.service.ts';
import { listChains } from './signer-workers.service.ts';

/** Dependencies of these functions. */
interface Services {
  publicUrl: string;
  payments: PaymentService;
}

/**
 * Orders the token of a paid request, exactly as its payer confirmed it, and wakes the signer, which creates it. Idempotent for
 * repeated clicks, concurrent admins and processes: there is one creation. Later changes of the request do not affect it, and an
 * open proposal ends.
 *
 * @throws NOT_FOUND, NOT_DELIVERABLE, LOOK_ALIKE
 * @throws PAYER_CONFIRMATION when its payer did not confirm exactly this.
 * @throws SECOND_APPROVAL when another admin has to approve it first.
 * @throws ALREADY_CREATED when another token was ordered, or this one exists.
 * @throws CHAIN_UNAVAILABLE when the signer could not create it now.
 */
export function createToken(db: Db, services: Services, by: Editor, input: TokenInput): Promise<TokenCreation> {
  return db.transaction(async (tx) => {
    const { requestId } = input;
    await lockRequest(tx, requestId);
    const there = await findCreation(tx, requestId, true);
    if (there && !(await mayReplace(tx, there))) {
      const confirmed = isUnderWay(there) ? await findConfirmed(tx, input) : null;
      if (!confirmed || confirmed.id !== there.proposalId)
        fail('ALREADY_CREATED', { state: there.state, network: there.network, address: there.address });
      return present(tx, requestId);
    }
    const { simulation } = services.payments.mode;
    const why = await whyNotOrder(tx, requestId, { simulation });
    if (why) fail('NOT_DELIVERABLE', { why });
    const fields = (['tokenName', 'tokenSymbol'] as const).filter((name) => isConfusable(input[name]));
    if (fields.length > 0 && !input.lookAlikeAccepted) fail('LOOK_ALIKE', { fields });
    await needChain(tx, services, input.network);
    const { id: proposalId, snapshot, hash, metadata } = await needConfirmed(tx, input);
    await needApproval(tx, { requestId, proposalId }, by.actor.id);
    await replaceOpen(tx, requestId);
    const { actor, now } = by;
    const order = {
      network: snapshot.network,
      snapshot,
      snapshotHash: hash,
      simulation,
      metadata,
      proposalId,
      state: 'queued',
      stage: 'queued',
      plan: null,
      chainId: null,
      problem: null,
      detail: null,
      retries: 0,
      nextAttemptAt: now,
      requestedBy: actor.id,
      orderedAt: now,
      begunAt: now,
      updatedAt: now,
    } as const;
    if (there) await tx.update(tokenCreations).set(order).where(eq(tokenCreations.id, there.id));
    else await tx.insert(tokenCreations).values({ submissionId: requestId, ...order });
    await notify(tx, requestId);
    const made = await present(tx, requestId);
    await audit(tx, by.actor, {
      action: 'token.ordered',
      resourceType: 'token_request',
      resourceId: requestId,
      ...(there ? { before: briefOf(there.snapshot, there.snapshotHash) } : {}),
      after: {
        ...briefOf(snapshot, hash),
        creationId: made.id,
        simulation,
        ...(fields.length > 0 ? { lookAlikeAccepted: fields.join(', ') } : {}),
      },
    });
    return made;
  });
}

/**
 * Resumes a stopped creation with the data that was ordered. An open proposal ends.
 *
 * @throws NOT_FOUND when nothing was ordered. @throws ALREADY_DONE when it is not stopped.
 * @throws PROPOSAL_CHANGED when nothing is signed, and its payer confirmed other data since.
 * @throws NOT_DELIVERABLE, CHAIN_UNAVAILABLE
 */
export function retryCreation(db: Db, services: Services, by: Editor, requestId: string): Promise<TokenCreation> {
  return db.transaction(async (tx) => {
    await lockRequest(tx, requestId);
    const there = (await findCreation(tx, requestId, true)) ?? fail('NOT_FOUND', { what: 'creation' });
    if (there.state !== 'held' && there.state !== 'failed') fail('ALREADY_DONE');
    const signed = (await countAttempts(tx, there.id)) > 0;
    if (await isClosed(tx, requestId)) fail('NOT_DELIVERABLE', { why: 'closed' });
    // A signed transaction may already be on its way: following it needs a signer, but no funds.
    if (!signed) {
      const why = await whyNotOrder(tx, requestId, { simulation: there.simulation });
      if (why) fail('NOT_DELIVERABLE', { why });
      // A summary that the payer confirmed since replaces the ordered one, and has to be ordered instead.
      if ((await findLastConfirmed(tx, requestId))?.id !== there.proposalId) fail('PROPOSAL_CHANGED');
    }
    await needChain(tx, services, there.network, signed);
    await replaceOpen(tx, requestId);
    const { now } = by;
    await tx
      .update(tokenCreations)
      .set({
        state: signed ? 'working' : 'queued',
        stage: 'queued',
        problem: null,
        detail: null,
        retries: 0,
        nextAttemptAt: now,
        begunAt: now,
        updatedAt: now,
      })
      .where(eq(tokenCreations.id, there.id));
    await notify(tx, requestId);
    await audit(tx, by.actor, {
      action: 'token.retried',
      resourceType: 'token_request',
      resourceId: requestId,
      before: { state: there.state, problem: there.problem },
      after: { state: signed ? 'working' : 'queued', snapshotHash: there.snapshotHash.toString('hex') },
    });
    return present(tx, requestId);
  });
}

/** True when the creation stopped before anything was signed: it may be ordered again, with other data. */
const mayReplace = async (tx: Tx, { id, state }: CreationRow): Promise<boolean> =>
  (state === 'held' || state === 'failed') && (await countAttempts(tx, id)) === 0;

const isUnderWay = ({ state }: CreationRow): boolean => state === 'queued' || state === 'working';

/** @throws CHAIN_UNAVAILABLE */
async function needChain(
  tx: Tx,
  services: Services,
  network: StoredSnapshot['network'],
  signedAlready = false,
): Promise<void> {
  const chain = (await listChains(tx, services)).find((one) => one.network === network);
  const why = chain ? chain.why : 'not_configured';
  if (why && (!signedAlready || why === 'not_configured' || why === 'signer_offline'))
    fail('CHAIN_UNAVAILABLE', { why });
}

async function notify(tx: Tx, requestId: string): Promise<void> {
  await publishChange(tx, 'tokenRequests');
  await sendNotification(tx, { channel: CREATIONS_CHANNEL, payload: requestId });
}

const present = async (tx: Tx, requestId: string): Promise<TokenCreation> =>
  (await readCreation(tx, requestId)) ?? fail('NOT_FOUND', { what: 'creation' });
