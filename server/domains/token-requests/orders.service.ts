import { desc, eq, inArray } from 'drizzle-orm';
import type { PaymentAnswer, Plan } from '#contract/domains/payments.ts';
import type { Order, OrderNext, OrderStage, RequestClosure } from '#contract/domains/token-requests.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';
import type { Limit } from '#contract/limits.ts';
import { STAGE_OF_PAYMENT } from '#contract/order-stages.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { tokenCreations } from '#server/db/tables/token-creations.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { readOrderItems } from '#server/domains/deliverables/deliverables.service.ts';
import { readMoneyBack } from '#server/domains/money/returned.service.ts';
import { answerFrom, type PaymentRow, partPaymentOf } from '#server/domains/payments/facts/record.service.ts';
import { openOrderLink, replaceOrderLink } from '#server/domains/payments/orders/order-link.service.ts';
import {
  arrivedDeposits,
  deliverBy,
  effectivePayment,
  isAcceptedByTeam,
  isForOtherToken,
  offeredPayments,
  paymentOf,
  paymentsOf,
  presentOther,
  presentPayment,
  receiptOf,
} from '#server/domains/payments/orders/request-payments.service.ts';
import { sentBack } from '#server/domains/payments/orders/request-stage.service.ts';
import type { PaymentService } from '#server/domains/payments/payments.port.ts';
import { refundsOf } from '#server/domains/refunds/cases.service.ts';
import { type CreationRow, findCreation, findCreations } from '#server/domains/token-creation/creations.service.ts';
import { readProposals, summaryOf } from '#server/domains/token-creation/proposals.service.ts';
import { readSource } from '#server/domains/token-creation/sources.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { Actor } from '#server/lib/audit.ts';
import { pageKey } from '#server/lib/crypto/page-secrets.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { MailLocale } from '#server/mail/mail.ts';
import { findRequest, type RequestRow } from './drafts.service.ts';

/** Dependencies of these functions. */
interface Services {
  secret: string;
  supportEmail: string | null;
  now: () => Date;
}

const NEXT: Record<OrderStage, OrderNext> = {
  draft: 'finish_form',
  awaiting_payment: 'pay',
  confirming: 'wait_confirmation',
  partially_paid: 'pay_rest',
  paid: 'wait_creation',
  in_review: 'wait_review',
  expired: 'pay_again',
  failed: 'pay_again',
  refunded: 'pay_again',
  creating: 'wait_creation',
  created: 'nothing',
  closed: 'nothing',
};

/** Stage of a request, from the payment that counts and its token; null before the first of each. */
function stageOf(
  row: PaymentRow | null,
  { creation, closed, back }: { creation: CreationRow | null; closed: boolean; back: boolean },
): OrderStage {
  // A token on the chain is permanent, whatever happens to the payment.
  if (creation?.state === 'completed') return 'created';
  if (closed) return 'closed';
  if (back) return 'refunded';
  const stage = stageOfPayment(row);
  return creation && stage === 'paid' ? 'creating' : stage;
}

function stageOfPayment(row: PaymentRow | null): OrderStage {
  if (!row) return 'draft';
  if (row.state !== 'partially_paid') return STAGE_OF_PAYMENT[row.state];
  // The missing part is not requested after the team accepted the payment, or the rest arrived as a separate payment.
  if (isAcceptedByTeam(row)) return 'paid';
  return presentPayment(row).missingUsd > 0 ? 'partially_paid' : 'in_review';
}

/** Requests that a member created while signed in, newest first, at most 100. */
export async function listOwnRequests(db: Reader, services: { secret: string }, userId: string) {
  const t = tokenCreationSubmissions;
  const rows = await db.select().from(t).where(eq(t.userId, userId)).orderBy(desc(t.createdAt), t.id).limit(100);
  const ids = rows.map(({ id }) => id);
  const paid = await offeredPayments(db, ids);
  const creations = await findCreations(db, inArray(tokenCreations.submissionId, ids));
  const creationOf = new Map(creations.map((creation) => [creation.requestId, creation]));
  const paidIds = paid.map(({ id }) => id);
  const [back, returned] = await Promise.all([sentBack(db, paidIds), readMoneyBack(db, paidIds)]);
  return rows.map((row) => {
    const own = paid.filter(({ submissionId }) => submissionId === row.id);
    const found = effectivePayment(own, back);
    return {
      id: row.id,
      orderId: found?.orderId ?? null,
      tokenName: row.tokenData.tokenName ?? '',
      tokenSymbol: row.tokenData.tokenSymbol ?? '',
      plan: found?.plan ?? row.membershipType,
      stage: stageOf(found, {
        creation: creationOf.get(row.id) ?? null,
        closed: row.closedAt !== null,
        back: found !== null && back.has(found.id),
      }),
      // The rest is not requested for a payment that was sent back, nor for a closed request.
      partPayment: row.closedAt || (found && back.has(found.id)) ? null : partPaymentOf(found),
      returned: (found && returned.get(found.id)) ?? null,
      review: own.some((payment) => payment !== found && payment.state === 'under_review' && !back.has(payment.id)),
      orderKey: pageKey(services.secret, 'order', row.id, row.linkGeneration),
      createdAt: row.createdAt.toISOString(),
    };
  });
}

/** @throws NOT_FOUND for an unknown order and a wrong key alike. @throws ORDER_LINK_ENDED. See openOrderLink. */
export async function openOrder(
  db: Db,
  { secret, now }: Pick<Services, 'secret' | 'now'>,
  { id, key }: { id: string; key: string },
  viewerId: string | null,
): Promise<PaymentRow | null> {
  await openOrderLink(db, { secret, now: now() }, { id, key }, viewerId);
  return paymentOf(db, id);
}

/**
 * Ends the link with which the order was opened and creates a new one. It is mailed to the order's mailbox only, so that a person
 * who found a link gains nothing; it is returned here only to the member who created the order, and when there is no mailbox.
 *
 * @throws NOT_FOUND, ORDER_LINK_ENDED
 */
export async function replaceLink(
  db: Db,
  { secret, now, jobs }: Pick<Services, 'secret' | 'now'> & { jobs: JobQueue },
  { id, key, locale }: { id: string; key: string; locale: MailLocale },
  by: { viewerId: string | null; actor: Actor },
): Promise<{ key: string | null; mailed: boolean }> {
  const { owner } = await openOrderLink(db, { secret, now: now() }, { id, key }, by.viewerId);
  return db.transaction(async (tx) => {
    const made = await replaceOfOrder(tx, { secret, now: now(), jobs, actor: by.actor }, id, locale, key);
    return { mailed: made.mailed, key: owner || !made.mailed ? made.key : null };
  });
}

/** The same for the team, who do not get the key. @throws NOT_FOUND */
export const replaceLinkForPayer = (
  db: Db,
  { secret, jobs }: { secret: string; jobs: JobQueue },
  { actor, now }: { actor: Actor; now: Date },
  id: string,
): Promise<{ mailed: boolean }> =>
  db.transaction(async (tx) => {
    const { mailed } = await replaceOfOrder(tx, { secret, now, jobs, actor }, id, 'es');
    return { mailed };
  });

async function replaceOfOrder(
  tx: Tx,
  tools: Parameters<typeof replaceOrderLink>[1],
  id: string,
  fallback: MailLocale,
  key?: string,
): ReturnType<typeof replaceOrderLink> {
  const payment = await paymentOf(tx, id);
  const { orderId = null, locale = fallback, simulation = false } = payment ?? {};
  return replaceOrderLink(tx, tools, { id, orderId, locale, simulation, ...(key ? { key } : {}) });
}

/** How the team closed a request; null while it is open. */
export const closureFrom = (row: RequestRow): RequestClosure | null =>
  row.closedAt && row.closedAs
    ? {
        at: row.closedAt.toISOString(),
        as: row.closedAs,
        note: row.closedNote ?? '',
        address: row.deliveredAddress,
      }
    : null;

/**
 * Data of the private page of an order; it never contains the requester's name or mailbox, and the wallet only once a token is
 * ordered or proposed.
 */
export async function readOrder(db: Db, services: Services, id: string, answer: PaymentAnswer): Promise<Order> {
  const now = services.now();
  const row = await findRequest(db, id);
  const data = { ...EMPTY_DRAFT, ...row.tokenData };
  const { payment: found, others } = await paymentsOf(db, id);
  const creation = await findCreation(db, id);
  const source = creation && (await readSource(db, creation.id));
  const ids = [found, ...others].flatMap((one) => one?.id ?? []);
  const [sent, returned] = await Promise.all([sentBack(db, ids), readMoneyBack(db, ids)]);
  const back = found !== null && sent.has(found.id);
  const stage = stageOf(found, { creation, closed: row.closedAt !== null, back });
  const plan: Plan = found?.plan ?? row.membershipType;
  return {
    id,
    orderId: found?.orderId ?? null,
    stage,
    // The payment itself is paid at the provider, so it can't be renewed.
    next: back && stage === 'refunded' ? 'contact' : NEXT[stage],
    plan,
    items: await readOrderItems(db, id, plan, now),
    refunds: await refundsOf(db, id),
    formVersion: row.version,
    tokenName: data.tokenName,
    tokenSymbol: data.tokenSymbol,
    imageUrl: data.imageUrl,
    selectedNetwork: data.selectedNetwork,
    payment: found && presentPayment(found),
    sentBack: back,
    tokenChanged: isForOtherToken(found, row.tokenData),
    returned: (found && returned.get(found.id)) ?? null,
    otherPayments: others.map((other) =>
      presentOther(other, { returned: returned.get(other.id) ?? null, isBack: sent.has(other.id) }),
    ),
    answer,
    closure: closureFrom(row),
    deliverBy: stage === 'paid' ? deliverBy(found) : null,
    accepted: found !== null && isAcceptedByTeam(found),
    deposits: found ? arrivedDeposits(found) : [],
    supportEmail: services.supportEmail,
    receipt: found && !back ? receiptOf(found) : null,
    proposals: await readProposals(db, id),
    summary: creation && summaryOf(creation.snapshot, creation.snapshotHash, creation.metadata),
    token: {
      address: creation?.address ?? null,
      transaction: creation?.transaction ?? null,
      explorerUrl: creation?.addressPage ?? creation?.transactionPage ?? null,
      source: source && { state: source.state, verifiedAt: source.verifiedAt },
    },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * Creates a new payment for an order that expired, failed or was refunded, or whose token was changed before anybody began to pay. While one is
 * open for the same token, it is returned instead.
 *
 * @throws NOT_FOUND, ORDER_LINK_ENDED, DRAFT_INCOMPLETE, PLAN_OFF_SALE, LOCKED, PAYMENT_UNAVAILABLE, BUSY, RATE_LIMITED
 * @throws VERSION_CONFLICT when the form is not the one that the payer saw
 */
export async function renewOrder(
  db: Db,
  service: PaymentService,
  services: Services,
  {
    id,
    key,
    version,
    locale,
    actor,
    viewerId,
    limit,
  }: {
    id: string;
    key: string;
    version?: number | undefined;
    locale: MailLocale;
    actor: Actor;
    viewerId: string | null;
    limit: Limit;
  },
): Promise<Order> {
  // The first payment of a draft is created from its form, where the plan is chosen.
  const found = (await openOrder(db, services, { id, key }, viewerId)) ?? fail('NOT_FOUND', { what: 'order' });
  const { tokenData } = await findRequest(db, id);
  if (['expired', 'failed', 'refunded'].includes(found.state) || isForOtherToken(found, tokenData))
    await service.pay({ requestId: id, version, plan: found.plan, locale, actor, limit });
  return readOrder(db, services, id, answerFrom(await paymentOf(db, id)));
}
