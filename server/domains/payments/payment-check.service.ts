import { sql } from 'drizzle-orm';
import { PLANS } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { type Deposit, type PaymentProvider, ProviderError } from '#server/providers/payments/port.ts';
import { findPayments, type PaymentRow, termsOf } from './ledger.service.ts';
import { depositsWithMoney, EMPTY, isConfirmed, mayDeliver, reduce } from './reduce.policy.ts';

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
export type PaymentDoubt = 'unpaid' | 'not_accepted' | 'payment_withdrawn' | 'payment_unknown' | null;

/**
 * Whether a request is paid for: by what we know of its payments, and by what the provider itself says of them now, where
 * the signer may ask it. What is in our database alone does not convince a signer that can ask.
 */
export async function doubtPayment(
  db: Reader,
  requestId: string,
  { simulation, provider }: { simulation: boolean; provider: PaymentProvider | null },
): Promise<PaymentDoubt> {
  const why = await whyNotDeliver(db, requestId, { simulation });
  // A closed request has no order; the database's lock keeps one from the other.
  if (why === 'closed') return 'not_accepted';
  if (why || !provider || provider.simulation !== simulation) return why;
  const rows = await findPayments(db, sql`submission_id = ${requestId}`);
  try {
    for (const row of rows)
      if (row.simulation === simulation && delivers(row) && (await confirmed(provider, row))) return null;
  } catch (error) {
    if (error instanceof ProviderError) return 'payment_unknown';
    throw error;
  }
  return 'payment_withdrawn';
}

const delivers = (row: PaymentRow): boolean => mayDeliver(row.ledger, termsOf(row), PLANS[row.plan].priceUsd);

/** The same decision from the provider's answers of this moment alone. @throws ProviderError */
async function confirmed(provider: PaymentProvider, row: PaymentRow): Promise<boolean> {
  const seen: Deposit[] = [];
  for (const id of depositsWithMoney(row.ledger)) {
    const deposit = await provider.deposit(id);
    if (deposit) seen.push(deposit);
  }
  const { accepted, supersededAt, paidTwice } = row.ledger;
  const ledger = seen.reduce((known, deposit) => reduce(known, { type: 'seen', deposit }, termsOf(row)), {
    ...EMPTY,
    accepted,
    supersededAt,
    paidTwice,
  });
  return delivers({ ...row, ledger });
}
