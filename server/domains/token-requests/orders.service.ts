import { sql } from 'drizzle-orm';
import { PLANS } from '#contract/limits.ts';
import type { Order, OrderNext, OrderStage, Payment, PaymentAnswer, Plan } from '#contract/token-requests.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { fail } from '#server/lib/fail.ts';
import { EMPTY_DRAFT } from './draft.policy.ts';
import { findRequest, type House, stageOf } from './drafts.service.ts';
import { pageKeyFits } from './keys.service.ts';
import { findPayments, type PaymentRow, termsOf } from './payments/ledger.service.ts';
import { isConfirmed, mayDeliver, outcomeOf } from './payments/reduce.policy.ts';

const NEXT: Record<OrderStage, OrderNext> = {
  draft: 'finish_form',
  awaiting_payment: 'pay',
  confirming: 'wait_confirmation',
  partially_paid: 'pay_rest',
  paid: 'wait_creation',
  in_review: 'wait_review',
  expired: 'pay_again',
  failed: 'pay_again',
  refunded: 'contact',
  creating: 'wait_creation',
  created: 'nothing',
};

/** A payment as its payer sees it. */
export function presentPayment(row: PaymentRow): Payment {
  const { state, main, receivedUsd, missingUsd } = outcomeOf(row.ledger, termsOf(row));
  return {
    orderId: row.orderId,
    plan: row.plan,
    state,
    confirmed: isConfirmed(state),
    providerStatus: main?.status ?? null,
    paymentId: main?.paymentId ?? null,
    paymentUrl: row.paymentUrl ?? '',
    payAddress: main?.payAddress ?? null,
    payAmount: main?.payAmount ?? null,
    payCurrency: main?.payCurrency ?? null,
    actuallyPaid: main?.actuallyPaid ?? null,
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
  const rows = await findPayments(db, sql`submission_id = ${requestId} and payment_url is not null`);
  return rows.find(({ state }) => isConfirmed(state)) ?? rows.find(({ isCurrent }) => isCurrent) ?? rows[0] ?? null;
}

/** @throws NOT_FOUND for a wrong id and a wrong key alike. */
export async function openOrder(db: Db, house: House, id: string, key: string): Promise<PaymentRow | null> {
  if (!pageKeyFits(house.secret, 'order', id, key)) fail('NOT_FOUND', { what: 'order' });
  return paymentOf(db, id);
}

/** Everything that the private page of an order shows; never who asked for it or where the token goes. */
export async function readOrder(db: Db, id: string, answer: PaymentAnswer): Promise<Order> {
  const row = await findRequest(db, id);
  const data = { ...EMPTY_DRAFT, ...row.token_data };
  const found = await paymentOf(db, id);
  const stage = stageOf(found?.state ?? null);
  const plan: Plan = found?.plan ?? row.membership_type;
  const payment = found && presentPayment(found);
  return {
    id,
    orderId: found?.orderId ?? null,
    stage,
    next: NEXT[stage],
    plan,
    items: PLANS[plan].items.map((key) => ({ key, state: 'promised' as const })),
    tokenName: data.tokenName,
    tokenSymbol: data.tokenSymbol,
    selectedNetwork: data.selectedNetwork,
    payment,
    answer,
    receipt:
      found?.confirmedAt && payment?.confirmed
        ? {
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
    token: { address: null, transaction: null, explorerUrl: null },
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

/** What is known without asking anybody. */
export const answerFrom = (row: PaymentRow | null): PaymentAnswer => {
  if (!row) return 'not_paid';
  if (isConfirmed(row.state)) return 'paid';
  return row.askedAt && row.triedAt && row.askedAt >= row.triedAt ? 'not_paid' : 'unknown';
};

/**
 * What stands between a request and its token: the operator may begin only with null. Call it in the transaction that
 * begins, after locking the request.
 *
 * @public for the creation on the chain, which is not built yet
 */
export async function whyNotDeliver(db: Reader, requestId: string): Promise<'unpaid' | 'not_accepted' | null> {
  const rows = await findPayments(db, sql`submission_id = ${requestId}`);
  const may = rows.some((row) => mayDeliver(row.ledger, termsOf(row), PLANS[row.plan].priceUsd));
  if (may) return null;
  return rows.some(({ state }) => isConfirmed(state) || state === 'under_review') ? 'not_accepted' : 'unpaid';
}
