import { sql } from 'drizzle-orm';
import { PLANS } from '#contract/limits.ts';
import type { OrderDeposit, OtherPayment, Payment, PaymentAnswer, PaymentState, Plan } from '#contract/payments.ts';
import { EMPTY_DRAFT } from '#contract/token-form.ts';
import type { Order, OrderNext, OrderStage, RequestClosure } from '#contract/token-requests.ts';
import type { Db, Reader } from '#server/db/client.ts';
import type { Actor } from '#server/lib/audit.ts';
import { fail } from '#server/lib/fail.ts';
import { pageKey, pageKeyFits } from '#server/lib/private-pages.ts';
import type { MailLocale } from '#server/mail/mail.ts';
import { type CreationRow, findCreation, findCreations } from './creation/creations.service.ts';
import { findRequest, type RequestRow } from './drafts.service.ts';
import type { Hint } from './payments/ask.ts';
import type { PaymentDesk } from './payments/desk.service.ts';
import {
  answerFrom,
  findPayments,
  isPaid,
  type PaymentRow,
  partPaymentOf,
  termsOf,
  watchUntil,
} from './payments/ledger.service.ts';
import {
  depositsIn,
  isAccepted,
  isConfirmed,
  isSound,
  mayDeliver,
  missingAmount,
  outcomeOf,
} from './payments/reduce.policy.ts';

const DAY = 86_400_000;

/** Settings of the house that these functions need. */
interface House {
  secret: string;
  supportEmail: string | null;
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

const STAGES: Record<PaymentState, OrderStage> = {
  awaiting: 'awaiting_payment',
  confirming: 'confirming',
  partially_paid: 'partially_paid',
  paid: 'paid',
  overpaid: 'paid',
  paid_late: 'paid',
  expired: 'expired',
  failed: 'failed',
  refunded: 'refunded',
  under_review: 'in_review',
};

/** What of a plan is there as soon as its token is. */
const DONE_WITH_TOKEN: readonly string[] = ['functionalToken', 'uniqueToken', 'configurableSupply'];

/** Where a request stands, by the payment that counts and by its token; null before the first of each. */
function stageOf(row: PaymentRow | null, creation: CreationRow | null, closed: boolean): OrderStage {
  // On the chain it stays, whatever happens to the payment.
  if (creation?.state === 'completed') return 'created';
  if (closed) return 'closed';
  const stage = stageOfPayment(row);
  return creation && stage === 'paid' ? 'creating' : stage;
}

function stageOfPayment(row: PaymentRow | null): OrderStage {
  if (!row) return 'draft';
  if (row.state !== 'partially_paid') return STAGES[row.state];
  // Nobody asks for a rest that the team does without, or that came as a payment of its own.
  if (isAccepted(row.ledger)) return 'paid';
  return outcomeOf(row.ledger, termsOf(row)).missingUsd > 0 ? 'partially_paid' : 'in_review';
}

/** A payment as its payer sees it. */
export function presentPayment(row: PaymentRow): Payment {
  const { state, main, receivedUsd, missingUsd } = outcomeOf(row.ledger, termsOf(row));
  return {
    orderId: row.orderId,
    plan: row.plan,
    state,
    confirmed: isPaid(row),
    providerStatus: main?.status ?? null,
    paymentId: main?.paymentId ?? null,
    paymentUrl: row.paymentUrl ?? '',
    payAddress: main?.payAddress ?? null,
    payAmount: main?.payAmount ?? null,
    payCurrency: main?.payCurrency ?? null,
    actuallyPaid: main?.actuallyPaid ?? null,
    missingAmount: state === 'partially_paid' && main ? missingAmount(main) : null,
    priceAmount: row.priceUsd,
    priceCurrency: 'usd',
    receivedUsd,
    missingUsd,
    simulation: row.simulation,
    expiresAt: row.expiresAt.toISOString(),
    checkedAt: row.askedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The payment that counts for a request: a confirmed one, else the current one; null before the first. */
export async function paymentOf(db: Reader, requestId: string): Promise<PaymentRow | null> {
  return (await paymentsOf(db, requestId)).payment;
}

/** The payment that counts, and the others of the request at which something arrived, newest first. */
async function paymentsOf(
  db: Reader,
  requestId: string,
): Promise<{ payment: PaymentRow | null; others: PaymentRow[] }> {
  const rows = await findPayments(db, sql`submission_id = ${requestId} and ${offered}`);
  const payment = thatCounts(rows);
  return { payment, others: rows.filter((row) => row !== payment && depositsOf(row).some(hasArrived)) };
}

/** A payment beside the one that counts, as its payer sees it. */
function presentOther(row: PaymentRow): OtherPayment {
  const { state, receivedUsd } = outcomeOf(row.ledger, termsOf(row));
  return {
    orderId: row.orderId,
    plan: row.plan,
    priceUsd: row.priceUsd,
    state,
    replaced: row.ledger.supersededAt !== null,
    receivedUsd,
    deposits: depositsOf(row).filter(hasArrived),
    simulation: row.simulation,
  };
}

/** What is known of the payments of a request, as its payer sees it. */
export async function knownPayments(
  db: Reader,
  requestId: string,
): Promise<{ answer: PaymentAnswer; payment: Payment | null; otherPayments: OtherPayment[] }> {
  const { payment, others } = await paymentsOf(db, requestId);
  return {
    answer: answerFrom(payment),
    payment: payment && presentPayment(payment),
    otherPayments: others.map(presentOther),
  };
}

/** Payments that their payer replaced and may have paid all the same; asking about a few is enough. */
const REPLACED_MOST = 3;

/**
 * Asks the provider about the payment that counts, and about those that it replaced.
 *
 * @returns the answer about the one that counts.
 */
export async function askAbout(
  db: Reader,
  desk: PaymentDesk,
  requestId: string,
  now: Date,
  hint?: Hint,
): Promise<PaymentAnswer> {
  const rows = await findPayments(db, sql`submission_id = ${requestId} and ${offered}`);
  const found = thatCounts(rows);
  if (!found) return 'not_paid';
  const replaced = rows.filter(
    (row) => row !== found && row.ledger.supersededAt !== null && watchUntil(row) > now.getTime(),
  );
  const [answer] = await Promise.all([
    desk.check(found.id, hint),
    ...replaced.slice(0, REPLACED_MOST).map(({ id }) => desk.check(id)),
  ]);
  return answer;
}

/** Handed to the payer, or paid all the same when the provider's answer was lost. */
const offered = sql`(payment_url is not null or state <> 'awaiting')`;
/** Of the payments of one request: a confirmed one, else the current one, else the newest. */
export const thatCounts = (rows: PaymentRow[]): PaymentRow | null =>
  rows.find(({ state }) => isConfirmed(state)) ?? rows.find(({ isCurrent }) => isCurrent) ?? rows[0] ?? null;

/** Payments of some requests that were handed to their payers, newest first. */
export const offeredPayments = (db: Reader, requestIds: string[]): Promise<PaymentRow[]> =>
  findPayments(db, sql`submission_id = any(${sql.param(requestIds)}::uuid[]) and ${offered}`);

/** Requests that a member began while signed in, newest first. */
export async function listOwnRequests(db: Reader, house: { secret: string }, userId: string) {
  const { rows } = await db.execute<RequestRow>(sql`
    select * from token_creation_submissions where user_id = ${userId} order by created_at desc, id limit 100`);
  const ids = sql.param(rows.map(({ id }) => id));
  const paid = await offeredPayments(
    db,
    rows.map(({ id }) => id),
  );
  const creations = await findCreations(db, sql`submission_id = any(${ids}::uuid[])`);
  const creationOf = new Map(creations.map((creation) => [creation.requestId, creation]));
  return rows.map((row) => {
    const own = paid.filter(({ submissionId }) => submissionId === row.id);
    const found = thatCounts(own);
    return {
      id: row.id,
      orderId: found?.orderId ?? null,
      tokenName: row.token_data.tokenName ?? '',
      tokenSymbol: row.token_data.tokenSymbol ?? '',
      plan: found?.plan ?? row.membership_type,
      stage: stageOf(found, creationOf.get(row.id) ?? null, row.closed_at !== null),
      partPayment: partPaymentOf(found),
      review: own.some((payment) => payment !== found && payment.state === 'under_review'),
      orderKey: pageKey(house.secret, 'order', row.id),
      createdAt: new Date(row.created_at).toISOString(),
    };
  });
}

/** @throws NOT_FOUND for a wrong id and a wrong key alike. */
export async function openOrder(
  db: Db,
  house: { secret: string },
  id: string,
  key: string,
): Promise<PaymentRow | null> {
  if (!pageKeyFits(house.secret, 'order', id, key)) fail('NOT_FOUND', { what: 'order' });
  return paymentOf(db, id);
}

/** Everything that the provider knows of for an order, also a coin that was only chosen; newest first. */
export function depositsOf(row: PaymentRow): OrderDeposit[] {
  const terms = termsOf(row);
  return depositsIn(row.ledger)
    .toSorted((a, b) => b.updatedAt - a.updatedAt || (a.paymentId < b.paymentId ? -1 : 1))
    .map((deposit) => ({
      paymentId: deposit.paymentId,
      status: deposit.status,
      amount: deposit.actuallyPaid,
      due: deposit.payAmount,
      currency: deposit.payCurrency,
      counts: isSound(deposit, terms),
      at: deposit.updatedAt > 0 ? new Date(deposit.updatedAt).toISOString() : null,
    }));
}

/** A coin that was only chosen is no deposit. */
const hasArrived = ({ status, amount }: OrderDeposit) =>
  (amount ?? 0) > 0 || (status !== 'waiting' && status !== 'expired');

/** How the team closed a request; null while it is open. */
export const closureFrom = (row: RequestRow): RequestClosure | null =>
  row.closed_at && row.closed_as
    ? {
        at: new Date(row.closed_at).toISOString(),
        as: row.closed_as,
        note: row.closed_note ?? '',
        address: row.delivered_address,
      }
    : null;

/** Everything that the private page of an order shows; never who asked for it or where the token goes. */
export async function readOrder(db: Db, house: House, id: string, answer: PaymentAnswer): Promise<Order> {
  const row = await findRequest(db, id);
  const data = { ...EMPTY_DRAFT, ...row.token_data };
  const { payment: found, others } = await paymentsOf(db, id);
  const creation = await findCreation(db, id);
  const stage = stageOf(found, creation, row.closed_at !== null);
  const plan: Plan = found?.plan ?? row.membership_type;
  const payment = found && presentPayment(found);
  return {
    id,
    orderId: found?.orderId ?? null,
    stage,
    next: NEXT[stage],
    plan,
    items: PLANS[plan].items.map((key) => ({
      key,
      state: stage === 'created' && DONE_WITH_TOKEN.includes(key) ? ('done' as const) : ('promised' as const),
    })),
    tokenName: data.tokenName,
    tokenSymbol: data.tokenSymbol,
    imageUrl: data.imageUrl,
    selectedNetwork: data.selectedNetwork,
    payment,
    otherPayments: others.map(presentOther),
    answer,
    closure: closureFrom(row),
    deliverBy: stage === 'paid' ? deliverBy(found) : null,
    accepted: found !== null && isAccepted(found.ledger),
    deposits: found ? depositsOf(found).filter(hasArrived) : [],
    supportEmail: house.supportEmail,
    receipt:
      found?.confirmedAt && payment && isConfirmed(found.state)
        ? {
            kind: payment.missingUsd === 0 ? 'full' : payment.confirmed ? 'accepted' : 'part',
            number: found.orderId,
            paidAt: (found.receiptAt ?? found.confirmedAt).toISOString(),
            plan,
            priceUsd: found.priceUsd,
            receivedUsd: payment.receivedUsd,
            missingUsd: payment.missingUsd,
            amount: payment.actuallyPaid,
            currency: payment.payCurrency,
            providerPaymentId: payment.paymentId,
            simulation: found.simulation,
          }
        : null,
    token: {
      address: creation?.address ?? null,
      transaction: creation?.transaction ?? null,
      explorerUrl: creation?.addressPage ?? creation?.transactionPage ?? null,
    },
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

/** Until when the team has promised to deliver by hand, counted from the payment in full; null without such a promise. */
export function deliverBy(row: PaymentRow | null): string | null {
  if (!row?.manualDays) return null;
  const { accepted } = row.ledger;
  const paidAt = row.receiptAt ?? (accepted && isAccepted(row.ledger) ? new Date(accepted.at) : null);
  return paidAt && new Date(paidAt.getTime() + row.manualDays * DAY).toISOString();
}

/**
 * A new payment for an order that ran out, failed or was refunded. While one is under way it is answered as it is.
 *
 * @throws NOT_FOUND, DRAFT_INCOMPLETE, PAYMENT_UNAVAILABLE, BUSY, RATE_LIMITED
 */
export async function renewOrder(
  db: Db,
  desk: PaymentDesk,
  house: House,
  { id, key, locale, actor }: { id: string; key: string; locale: MailLocale; actor: Actor },
): Promise<Order> {
  // A draft that was never paid for belongs to its form, where the plan is chosen.
  const found = (await openOrder(db, house, id, key)) ?? fail('NOT_FOUND', { what: 'order' });
  if (['expired', 'failed', 'refunded'].includes(found.state))
    await desk.pay({ requestId: id, plan: found.plan, locale, actor });
  return readOrder(db, house, id, answerFrom(await paymentOf(db, id)));
}

/**
 * What stands between a request and its token: the operator may begin only with null. Call it in the transaction that
 * begins, after locking the request.
 *
 * @param house.simulation whether payments are simulated here: where money is real, a simulated payment is none.
 */
export async function whyNotDeliver(
  db: Reader,
  requestId: string,
  house: { simulation: boolean },
): Promise<'unpaid' | 'not_accepted' | 'closed' | null> {
  const { rows: closed } = await db.execute(
    sql`select 1 from token_creation_submissions where id = ${requestId} and closed_at is not null`,
  );
  if (closed.length > 0) return 'closed';
  const all = await findPayments(db, sql`submission_id = ${requestId}`);
  const rows = all.filter(({ simulation }) => simulation === house.simulation);
  const may = rows.some((row) => mayDeliver(row.ledger, termsOf(row), PLANS[row.plan].priceUsd));
  if (may) return null;
  return rows.some(({ state }) => isConfirmed(state) || state === 'under_review') ? 'not_accepted' : 'unpaid';
}
