import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { PLANS } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { paymentAcceptances, payments } from '#server/db/tables/payments.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { findPayments, termsOf } from '#server/domains/payments/facts/record.service.ts';
import {
  depositsWithMoney,
  hasMoney,
  isAtLeastPartPaid,
  mayDeliver,
} from '#server/domains/payments/facts/reduce.policy.ts';
import { claimedBack, sentBack } from '#server/domains/payments/orders/request-stage.service.ts';
import { type Deposit, type PaymentProvider, ProviderError } from '#server/providers/payments/port.ts';
import { provenDeposits, validAcceptance, type WantedToken } from './signer-evidence.service.ts';

/** True when the team closed the request. */
export async function isClosed(db: Reader, requestId: string): Promise<boolean> {
  const t = tokenCreationSubmissions;
  return (await db.$count(t, and(eq(t.id, requestId), isNotNull(t.closedAt)))) > 0;
}

/**
 * The reason why the token of a request must not be delivered; null when it may be. Call it in the transaction that starts the
 * delivery, after locking the request.
 *
 * @param services.simulation true when payments are simulated on this site; with real money a simulated payment does not count.
 */
export async function whyNotDeliver(
  db: Reader,
  requestId: string,
  services: { simulation: boolean },
): Promise<'unpaid' | 'not_accepted' | 'closed' | null> {
  const t = tokenCreationSubmissions;
  const [request] = await db.select({ closedAt: t.closedAt, stage: t.paymentStage }).from(t).where(eq(t.id, requestId));
  if (request?.closedAt) return 'closed';
  const all = await findPayments(db, sql`submission_id = ${requestId}`);
  const rows = all.filter(({ simulation }) => simulation === services.simulation);
  const may = rows.some((row) => mayDeliver(row.knownFacts, termsOf(row), PLANS[row.plan].priceUsd));
  // The provider does not report money that the team sent back; the stage is stored in the database, which the signer
  // may read.
  if (may) return request?.stage === 'refunded' ? 'unpaid' : null;
  return rows.some(({ state }) => isAtLeastPartPaid(state) || state === 'under_review') ? 'not_accepted' : 'unpaid';
}

/**
 * As `whyNotDeliver`, for a delivery that the team starts, with each payment checked by itself: one whose money the team sent back does
 * not count while another one is partly paid, and neither does one whose refund is claimed ('refund_claimed'). The signer has no access
 * to refunds.
 */
export async function whyNotOrder(
  db: Reader,
  requestId: string,
  services: { simulation: boolean },
): Promise<'unpaid' | 'not_accepted' | 'closed' | 'refund_claimed' | null> {
  const why = await whyNotDeliver(db, requestId, services);
  if (why) return why;
  const rows = await findPayments(db, sql`submission_id = ${requestId}`);
  const paid = rows.filter(
    (row) =>
      row.simulation === services.simulation && mayDeliver(row.knownFacts, termsOf(row), PLANS[row.plan].priceUsd),
  );
  const ids = paid.map(({ id }) => id);
  const back = await sentBack(db, ids);
  const held = ids.filter((id) => !back.has(id));
  if (held.length === 0) return 'unpaid';
  const claimed = await claimedBack(db, held);
  return held.every((id) => claimed.has(id)) ? 'refund_claimed' : null;
}

/** The reason why a token must not be signed; null when it is paid for. */
export type PaymentObstacle =
  | 'unpaid'
  | 'not_accepted'
  | 'acceptance_unsigned'
  | 'payment_withdrawn'
  | 'payment_unknown'
  | null;

/** Limit of deposits that are fetched for one token, because a row can name any number. */
const MAX_FETCHES = 30;

/**
 * Checks whether a token is paid for. Real money: by the provider's current answers, and by acceptances that were signed with one
 * of `adminKeys`; the database only names the deposits to fetch. Simulated money, which only pays for tokens on test chains: by the
 * database, as there is no provider to query.
 *
 * @returns the obstacle, and the deposits that pay for the token, which must not pay for any other.
 */
export async function findPaymentObstacle(
  db: Reader,
  wanted: WantedToken,
  {
    simulation,
    provider,
    adminKeys,
  }: { simulation: boolean; provider: PaymentProvider | null; adminKeys: readonly string[] },
): Promise<{ obstacle: PaymentObstacle; deposits: string[] }> {
  const { requestId } = wanted;
  const none = (obstacle: PaymentObstacle) => ({ obstacle, deposits: [] });
  const why = await whyNotDeliver(db, requestId, { simulation });
  // A closed request has no creation order: the lock in the database makes the two exclude each other.
  if (why === 'closed') return none('not_accepted');
  if (why) return none(why);
  if (!provider || provider.simulation !== simulation) return none(simulation ? null : 'payment_unknown');
  const rows = await findPayments(db, sql`submission_id = ${requestId}`);
  const signed = await db
    .select({
      statement: paymentAcceptances.statement,
      publicKey: paymentAcceptances.publicKey,
      signature: paymentAcceptances.signature,
    })
    .from(paymentAcceptances)
    .innerJoin(payments, eq(payments.id, paymentAcceptances.paymentId))
    .where(eq(payments.submissionId, requestId))
    .orderBy(paymentAcceptances.addedAt, paymentAcceptances.id);
  const accepted = signed
    .map((one) => validAcceptance(one, { requestId, adminKeys }))
    .filter((statement) => statement !== null);
  const ids = new Set([
    ...accepted.flatMap(({ deposits }) => deposits.map(({ paymentId }) => paymentId)),
    ...rows.flatMap(({ knownFacts }) => depositsWithMoney(knownFacts)),
  ]);
  const reported: Deposit[] = [];
  try {
    for (const id of [...ids].slice(0, MAX_FETCHES)) {
      const deposit = await provider.deposit(id);
      // Only an answer about the requested deposit counts.
      if (deposit?.paymentId === id) reported.push(deposit);
    }
  } catch (error) {
    if (error instanceof ProviderError) return none('payment_unknown');
    throw error;
  }
  const deposits = provenDeposits(wanted, reported, accepted);
  if (deposits.length > 0) return { obstacle: null, deposits };
  // Money is there, but without a signed acceptance it does not pay for this token.
  return none(reported.some(hasMoney) ? 'acceptance_unsigned' : 'payment_withdrawn');
}
