import { eq, sql } from 'drizzle-orm';
import type {
  KnownPayments,
  MoneyBack,
  OrderDeposit,
  OtherPayment,
  Payment,
  PaymentAnswer,
} from '#contract/domains/payments.ts';
import type { Order } from '#contract/domains/token-requests.ts';
import type { Reader } from '#server/db/client.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { readMoneyBack } from '#server/domains/money/returned.service.ts';
import { isStuck } from '#server/domains/payments/facts/ended-deposits.policy.ts';
import { missingAmount } from '#server/domains/payments/facts/missing-amount.policy.ts';
import {
  answerFrom,
  findPayments,
  isPaid,
  type PaymentRow,
  termsOf,
  watchUntil,
} from '#server/domains/payments/facts/record.service.ts';
import {
  depositsIn,
  depositsWithMoney,
  hasMoney,
  isAccepted,
  isAtLeastPartPaid,
  isCovered,
  isSound,
  isUnderWayStatus,
  outcomeOf,
} from '#server/domains/payments/facts/reduce.policy.ts';
import { isBack } from '#server/domains/payments/facts/sent-back.policy.ts';
import type { PaymentService } from '#server/domains/payments/payments.port.ts';
import type { Hint } from '#server/domains/payments/provider/fetch-deposits.ts';
import type { Deposit } from '#server/providers/payments/port.ts';
import { agreementHash, requestedToken } from './agreed-token.service.ts';
import { sentBack } from './request-stage.service.ts';

const DAY = 86_400_000;

/** A payment in the form for its payer. */
export function presentPayment(row: PaymentRow): Payment {
  const { state, main, receivedUsd, missingUsd } = outcomeOf(row.knownFacts, termsOf(row));
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
    missingAmount: state === 'partially_paid' ? restInCoin(row) : null,
    priceAmount: row.priceUsd,
    priceCurrency: 'usd',
    receivedUsd,
    missingUsd,
    simulation: row.simulation,
    expiresAt: row.expiresAt.toISOString(),
    checkedAt: row.polledAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * The missing amount in the coin of a partial payment. Null when several deposits have money or one is on its way: the missing amount of
 * one deposit is then more than that of the order, and the payer would send too much.
 */
function restInCoin(row: PaymentRow): string | null {
  const terms = termsOf(row);
  const [deposit, ...others] = depositsIn(row.knownFacts).filter(
    (one) => isSound(one, terms) && (hasMoney(one) || isUnderWayStatus(one.status)),
  );
  return deposit && others.length === 0 ? missingAmount(deposit) : null;
}

/** The payment that counts for a request (see effectivePayment); null before the first. */
export async function paymentOf(db: Reader, requestId: string): Promise<PaymentRow | null> {
  return (await paymentsOf(db, requestId)).payment;
}

/** The payment that counts, and the other payments of the request that received money, newest first. */
export async function paymentsOf(
  db: Reader,
  requestId: string,
): Promise<{ payment: PaymentRow | null; others: PaymentRow[] }> {
  const rows = await findPayments(db, sql`submission_id = ${requestId} and ${offered}`);
  const payment = await findEffective(db, rows);
  return { payment, others: rows.filter((row) => row !== payment && arrivedDeposits(row).length > 0) };
}

/**
 * A payment other than the one that counts, in the form for its payer.
 *
 * @param isBack the team sent all of its money back; at the provider it is still paid or under review.
 */
export function presentOther(
  row: PaymentRow,
  { returned, isBack }: { returned: MoneyBack | null; isBack: boolean },
): OtherPayment {
  const { state, receivedUsd } = outcomeOf(row.knownFacts, termsOf(row));
  return {
    orderId: row.orderId,
    plan: row.plan,
    priceUsd: row.priceUsd,
    state: isBack ? 'refunded' : state,
    replaced: row.knownFacts.supersededAt !== null,
    receivedUsd,
    returned,
    deposits: arrivedDeposits(row),
    simulation: row.simulation,
  };
}

/**
 * True when the token was changed since its payment was created, and no money is on its way. The invoice names the former token and is
 * immutable: a new payment is needed, or an admin's signature for the changed token.
 */
export const isForOtherToken = (row: PaymentRow | null, data: Parameters<typeof requestedToken>[0]): boolean =>
  row?.state === 'awaiting' && row.agreed !== null && row.agreed !== agreementHash(requestedToken(data));

/** Stored state of the payments of a request, in the form for its payer. */
export async function knownPayments(db: Reader, requestId: string): Promise<KnownPayments> {
  const { payment, others } = await paymentsOf(db, requestId);
  const ids = others.map(({ id }) => id);
  const t = tokenCreationSubmissions;
  const [request] = await db.select({ data: t.tokenData }).from(t).where(eq(t.id, requestId));
  const [returned, back] = await Promise.all([
    readMoneyBack(db, ids),
    sentBack(db, payment ? [payment.id, ...ids] : ids),
  ]);
  return {
    answer: answerFrom(payment),
    payment: payment && presentPayment(payment),
    sentBack: payment !== null && back.has(payment.id),
    tokenChanged: isForOtherToken(payment, request?.data ?? {}),
    otherPayments: others.map((other) =>
      presentOther(other, { returned: returned.get(other.id) ?? null, isBack: back.has(other.id) }),
    ),
  };
}

/** Limit of earlier payments that one check polls too, because the payer may have paid on their pages. */
const MAX_EARLIER = 3;

/**
 * Checks the payment that counts at the provider, and the earlier ones of the request: replaced ones, and those before a corrected token or
 * a renewal, whose money counts.
 *
 * @returns the answer about the one that counts afterwards.
 */
export async function checkOrder(
  db: Reader,
  service: PaymentService,
  requestId: string,
  now: Date,
  hint?: Hint,
): Promise<PaymentAnswer> {
  const rows = await findPayments(db, sql`submission_id = ${requestId} and ${offered}`);
  const found = await findEffective(db, rows);
  if (!found) return 'not_paid';
  const earlier = rows.filter((row) => row !== found && watchUntil(row) > now.getTime());
  const [answer] = await Promise.all([
    service.check(found.id, hint),
    ...earlier.slice(0, MAX_EARLIER).map(({ id }) => service.check(id)),
  ]);
  const counts = await paymentOf(db, requestId);
  return counts === null || counts.id === found.id ? answer : answerFrom(counts);
}

/** Payments whose link the payer received, or that were paid even though the provider's response was lost. */
const offered = sql`(payment_url is not null or state <> 'awaiting')`;
/**
 * Of the payments of one request, newest first: a confirmed one, else the current one, else the newest. Of two confirmed ones, the one
 * whose money is still held.
 *
 * @param back ids of those of which the team sent all money back.
 */
export function effectivePayment(rows: PaymentRow[], back: ReadonlySet<string>): PaymentRow | null {
  const confirmed = rows.filter(({ state }) => isAtLeastPartPaid(state));
  const held = confirmed.find(({ id }) => !back.has(id));
  return held ?? confirmed[0] ?? rows.find(({ isCurrent }) => isCurrent) ?? rows[0] ?? null;
}

/** The effective payment of a request; the money that was sent back is queried only if it makes a difference. */
async function findEffective(db: Reader, rows: PaymentRow[]): Promise<PaymentRow | null> {
  const confirmed = rows.filter(({ state }) => isAtLeastPartPaid(state)).map(({ id }) => id);
  return effectivePayment(rows, confirmed.length > 1 ? await sentBack(db, confirmed) : new Set());
}

/** Payments of these requests that were offered to their payers, newest first. */
export const offeredPayments = (db: Reader, requestIds: string[]): Promise<PaymentRow[]> =>
  findPayments(db, sql`submission_id = any(${sql.param(requestIds)}::uuid[]) and ${offered}`);

/** All deposits of an order that the provider reported, including a coin that was only chosen; newest first. */
export function depositsOf(row: PaymentRow): OrderDeposit[] {
  const terms = termsOf(row);
  return depositsIn(row.knownFacts)
    .toSorted((a, b) => b.updatedAt - a.updatedAt || (a.paymentId < b.paymentId ? -1 : 1))
    .map((deposit) => ({
      paymentId: deposit.paymentId,
      status: deposit.status,
      amount: deposit.actuallyPaid,
      due: deposit.payAmount,
      currency: deposit.payCurrency,
      counts: isSound(deposit, terms),
      accepted: isCovered(row.knownFacts, deposit, terms),
      sentBack: isBack(row.knownFacts, deposit),
      at: deposit.updatedAt > 0 ? new Date(deposit.updatedAt).toISOString() : null,
    }));
}

/** Deposits of an order that received money, newest first. */
export const arrivedDeposits = (row: PaymentRow): OrderDeposit[] => depositsOf(row).filter(hasArrived);

/** A coin that was only chosen has no deposit yet. */
const hasArrived = ({ status, amount }: OrderDeposit) =>
  (amount ?? 0) > 0 || (status !== 'waiting' && status !== 'expired');

/** Date by which the team promised delivery by hand, counted from the full payment; null without such a promise. */
export function deliverBy(row: PaymentRow | null): string | null {
  if (!row?.manualDays) return null;
  const { accepted } = row.knownFacts;
  const paidAt = row.receiptAt ?? (accepted && isAccepted(row.knownFacts) ? new Date(accepted.at) : null);
  return paidAt && new Date(paidAt.getTime() + row.manualDays * DAY).toISOString();
}

/** True for a deposit that the provider may still fail: it is on its way, and not for too long. */
export function isOnItsWay({ knownFacts, expiresAt }: PaymentRow, deposit: Deposit): boolean {
  const msAfterExpiry = knownFacts.polledAt - expiresAt.getTime();
  const isOpen = isUnderWayStatus(deposit.status) || (deposit.status === 'waiting' && msAfterExpiry < 0);
  return isOpen && !isStuck(deposit, msAfterExpiry);
}

/** True when the team accepted the amount that arrived, and none of it was returned since. */
export const isAcceptedByTeam = (row: PaymentRow): boolean => isAccepted(row.knownFacts);

/** True when any payment of the request holds money; deposits that the provider returned do not count. */
export async function hasReceivedMoney(db: Reader, requestId: string): Promise<boolean> {
  const payments = await findPayments(db, sql`submission_id = ${requestId}`);
  return payments.some(({ knownFacts }) => depositsWithMoney(knownFacts).length > 0);
}

/** The receipt of a payment; null unless it is paid now, in full or in part. */
export function receiptOf(row: PaymentRow): Order['receipt'] {
  if (!row.confirmedAt || !isAtLeastPartPaid(row.state)) return null;
  const payment = presentPayment(row);
  return {
    kind: payment.missingUsd === 0 ? 'full' : payment.confirmed ? 'accepted' : 'part',
    number: row.orderId,
    paidAt: (row.receiptAt ?? row.confirmedAt).toISOString(),
    plan: row.plan,
    priceUsd: row.priceUsd,
    receivedUsd: payment.receivedUsd,
    missingUsd: payment.missingUsd,
    amount: payment.actuallyPaid,
    currency: payment.payCurrency,
    providerPaymentId: payment.paymentId,
    simulation: row.simulation,
  };
}
