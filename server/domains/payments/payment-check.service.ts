import { eq, sql } from 'drizzle-orm';
import { PLANS } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { paymentAcceptances, payments } from '#server/db/tables/payments.ts';
import { type Deposit, type PaymentProvider, ProviderError } from '#server/providers/payments/port.ts';
import { findPayments, termsOf } from './ledger.service.ts';
import { provenDeposits, validAcceptance, type WantedToken } from './proof.service.ts';
import { depositsWithMoney, hasMoney, isConfirmed, mayDeliver } from './reduce.policy.ts';

/**
 * What stands between a request and its token: the operator may begin only with null. Call it in the transaction that
 * begins, after locking the request.
 *
 * @param services.simulation whether payments are simulated here: where money is real, a simulated payment is none.
 */
export async function whyNotDeliver(
  db: Reader,
  requestId: string,
  services: { simulation: boolean },
): Promise<'unpaid' | 'not_accepted' | 'closed' | null> {
  const { rows: closed } = await db.execute(
    sql`select 1 from token_creation_submissions where id = ${requestId} and closed_at is not null`,
  );
  if (closed.length > 0) return 'closed';
  const all = await findPayments(db, sql`submission_id = ${requestId}`);
  const rows = all.filter(({ simulation }) => simulation === services.simulation);
  const may = rows.some((row) => mayDeliver(row.ledger, termsOf(row), PLANS[row.plan].priceUsd));
  if (may) return null;
  return rows.some(({ state }) => isConfirmed(state) || state === 'under_review') ? 'not_accepted' : 'unpaid';
}

/** Why a token must not be signed; null: it is paid for. */
export type PaymentDoubt =
  | 'unpaid'
  | 'not_accepted'
  | 'acceptance_unsigned'
  | 'payment_withdrawn'
  | 'payment_unknown'
  | null;

/** Deposits that are asked about for one token: a row may name as many as it likes. */
const MAX_FETCHES = 30;

/**
 * Whether a token is paid for. Real money: by the provider's own answers of this moment, and by acceptances that were signed
 * with one of `adminKeys`; the database only says about which deposits to ask. Simulated money, which makes tokens on test chains
 * only: by the database, where there is no provider to ask.
 *
 * @returns with the doubt the deposits that pay for it, which must pay for no other.
 */
export async function doubtPayment(
  db: Reader,
  wanted: WantedToken,
  {
    simulation,
    provider,
    adminKeys,
  }: { simulation: boolean; provider: PaymentProvider | null; adminKeys: readonly string[] },
): Promise<{ doubt: PaymentDoubt; deposits: string[] }> {
  const { requestId } = wanted;
  const none = (doubt: PaymentDoubt) => ({ doubt, deposits: [] });
  const why = await whyNotDeliver(db, requestId, { simulation });
  // A closed request has no order; the database's lock keeps one from the other.
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
    ...rows.flatMap(({ ledger }) => depositsWithMoney(ledger)),
  ]);
  const reported: Deposit[] = [];
  try {
    for (const id of [...ids].slice(0, MAX_FETCHES)) {
      const deposit = await provider.deposit(id);
      // The answer counts for the deposit that was asked about.
      if (deposit?.paymentId === id) reported.push(deposit);
    }
  } catch (error) {
    if (error instanceof ProviderError) return none('payment_unknown');
    throw error;
  }
  const deposits = provenDeposits(wanted, reported, accepted);
  if (deposits.length > 0) return { doubt: null, deposits };
  // Money is there, and the provider's word alone does not pay for this token with it.
  return none(reported.some(hasMoney) ? 'acceptance_unsigned' : 'payment_withdrawn');
}
