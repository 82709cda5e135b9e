import { and, desc, eq, sql } from 'drizzle-orm';
import type { AgreedField, TokenInput } from '#contract/token-form.ts';
import { EMPTY_DRAFT } from '#contract/token-form.ts';
import type { TokenProposal } from '#contract/token-requests.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { tokenProposals } from '#server/db/tables/token-creations.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { notifyOfOrder } from '#server/domains/notifications/happenings.service.ts';
import { lockRequest } from '#server/domains/payments/ledger.service.ts';
import { whyNotDeliver } from '#server/domains/payments/payment-check.service.ts';
import { paymentOf } from '#server/domains/payments/request-payments.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/fail.ts';
import { privatePath } from '#server/lib/private-pages.ts';
import { publishChange } from '#server/live/publish.ts';
import { queueMail } from '#server/mail/mail.ts';
import { iso } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import { differencesOf } from './agreement.policy.ts';
import { countAttempts, findCreation } from './creations.service.ts';
import { hashOf, type Snapshot, snapshotOf } from './snapshot.policy.ts';

const p = tokenProposals;

interface Services {
  publicUrl: string;
  secret: string;
  jobs: JobQueue;
  simulation: boolean;
}

/** What the request that was paid says of the token. @throws NOT_FOUND */
async function readAgreed(tx: Reader, requestId: string) {
  const t = tokenCreationSubmissions;
  const [row] = await tx.select({ data: t.tokenData }).from(t).where(eq(t.id, requestId));
  return { ...EMPTY_DRAFT, ...(row ?? fail('NOT_FOUND', { what: 'request' })).data };
}

/**
 * Lets a token pass that is as it was paid for, or exactly as its payer confirmed it.
 *
 * @throws PAYER_CONFIRMATION with what differs, and whether the payer was asked.
 */
export async function needAgreement(tx: Tx, snapshot: Snapshot, hash: Buffer): Promise<void> {
  const fields = differencesOf(await readAgreed(tx, snapshot.requestId), snapshot);
  if (fields.length === 0) return;
  const [asked] = await tx
    .select({ state: p.state })
    .from(p)
    .where(and(eq(p.submissionId, snapshot.requestId), eq(p.snapshotHash, hash)))
    .orderBy(desc(p.proposedAt), desc(p.id))
    .limit(1);
  if (asked?.state === 'confirmed') return;
  fail('PAYER_CONFIRMATION', {
    fields,
    asked: asked?.state === 'open' || asked?.state === 'declined' ? asked.state : null,
  });
}

/**
 * Asks the payer of a request whether its token may be made otherwise than paid for. What was asked before and waits is replaced; the
 * answer is about exactly these data.
 *
 * @throws NOT_FOUND, NOT_DELIVERABLE, ALREADY_CREATED. @throws ALREADY_DONE when nothing differs, or it was asked and not declined.
 */
export function proposeToken(db: Db, services: Services, by: Editor, input: TokenInput): Promise<void> {
  return db.transaction(async (tx) => {
    const snapshot = snapshotOf(input, services.publicUrl);
    const { requestId } = snapshot;
    const { email } = await lockRequest(tx, requestId);
    const why = await whyNotDeliver(tx, requestId, services);
    if (why) fail('NOT_DELIVERABLE', { why });
    const there = await findCreation(tx, requestId, true);
    const replaceable = there?.state === 'held' || there?.state === 'failed';
    if (there && !(replaceable && (await countAttempts(tx, there.id)) === 0))
      fail('ALREADY_CREATED', { state: there.state, network: there.network, address: there.address });
    const fields = differencesOf(await readAgreed(tx, requestId), snapshot);
    const hash = hashOf(snapshot);
    if (fields.length === 0) fail('ALREADY_DONE');
    const [last] = await tx
      .select({ state: p.state })
      .from(p)
      .where(and(eq(p.submissionId, requestId), eq(p.snapshotHash, hash)))
      .orderBy(desc(p.proposedAt), desc(p.id))
      .limit(1);
    if (last?.state === 'open' || last?.state === 'confirmed') fail('ALREADY_DONE');
    await tx
      .update(p)
      .set({ state: 'replaced' })
      .where(and(eq(p.submissionId, requestId), eq(p.state, 'open')));
    await tx.insert(p).values({
      submissionId: requestId,
      snapshot,
      snapshotHash: hash,
      fields,
      proposedBy: by.actor.id,
      proposedAt: by.now,
    });
    await notifyPayer(tx, services, { requestId, email, snapshot, now: by.now });
    await publishChange(tx, 'tokenRequests');
    await audit(tx, by.actor, {
      action: 'token.proposed',
      resourceType: 'token_request',
      resourceId: requestId,
      after: briefOf(snapshot, hash),
    });
  });
}

async function notifyPayer(
  tx: Tx,
  { jobs, secret }: Services,
  about: { requestId: string; email: string | null; snapshot: Snapshot; now: Date },
): Promise<void> {
  const { requestId, email, snapshot, now } = about;
  const payment = await paymentOf(tx, requestId);
  if (!payment) return;
  const { orderId, locale, simulation } = payment;
  await notifyOfOrder(tx, { requestId, orderId, detail: 'proposal', now });
  if (!email) return;
  const { name, symbol, owner, network } = snapshot;
  await queueMail(tx, jobs, {
    to: email,
    locale,
    template: 'tokenProposal',
    data: { orderId, name, symbol, owner, network, path: privatePath(secret, 'order', requestId, locale), simulation },
  });
}

/**
 * What the payer says to the proposal that waits.
 *
 * @throws NOT_FOUND when there is no such one. @throws ALREADY_DONE when it does not wait any more.
 */
export function answerProposal(
  db: Db,
  { requestId, proposalId, answer }: { requestId: string; proposalId: string; answer: 'confirmed' | 'declined' },
  { actor, now }: { actor: Actor; now: Date },
): Promise<void> {
  return db.transaction(async (tx) => {
    await lockRequest(tx, requestId);
    const [found] = await tx
      .select()
      .from(p)
      .where(and(eq(p.id, proposalId), eq(p.submissionId, requestId)));
    if (!found) return fail('NOT_FOUND', { what: 'proposal' });
    if (found.state !== 'open') fail('ALREADY_DONE');
    await tx.update(p).set({ state: answer, answeredAt: now }).where(eq(p.id, proposalId));
    await publishChange(tx, 'tokenRequests');
    await audit(tx, actor, {
      action: answer === 'confirmed' ? 'token.confirmed' : 'token.declined',
      resourceType: 'token_request',
      resourceId: requestId,
      after: briefOf(found.snapshot, found.snapshotHash),
    });
  });
}

const briefOf = ({ network, name, symbol, supply, owner }: Snapshot, hash: Buffer) => ({
  network,
  tokenName: name,
  tokenSymbol: symbol,
  supply,
  owner,
  snapshotHash: hash.toString('hex'),
});

/** All that was asked of the payer of a request, newest first, with what the request says instead. */
export async function readProposals(db: Reader, requestId: string): Promise<TokenProposal[]> {
  const rows = await db
    .select()
    .from(p)
    .where(and(eq(p.submissionId, requestId), sql`${p.state} <> 'replaced'`))
    .orderBy(desc(p.proposedAt), desc(p.id));
  if (rows.length === 0) return [];
  const agreed = await readAgreed(db, requestId);
  const paid: Record<AgreedField, string> = {
    network: agreed.selectedNetwork,
    ownerWallet: agreed.ownerWalletAddress,
    tokenName: agreed.tokenName,
    tokenSymbol: agreed.tokenSymbol,
  };
  return rows.map(({ id, state, snapshot, snapshotHash, fields, proposedAt, answeredAt }) => ({
    id,
    state: state as TokenProposal['state'],
    ...summaryOf(snapshot, snapshotHash),
    changed: fields.map((field) => ({ field, paid: paid[field] })),
    proposedAt: iso(proposedAt),
    answeredAt: answeredAt && iso(answeredAt),
  }));
}

/** What a token is or will be, for its payer. */
export const summaryOf = ({ network, name, symbol, supply, decimals, owner }: Snapshot, hash: Buffer) => ({
  network,
  tokenName: name,
  tokenSymbol: symbol,
  supply,
  decimals: Number(decimals),
  ownerWallet: owner,
  hash: hash.toString('hex'),
});
