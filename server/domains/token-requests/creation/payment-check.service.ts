import { sql } from 'drizzle-orm';
import { PLANS } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { type Deposit, type PaymentProvider, ProviderError } from '#server/providers/payments/port.ts';
import { whyNotDeliver } from '../orders.service.ts';
import { findPayments, type PaymentRow, termsOf } from '../payments/ledger.service.ts';
import { depositsWithMoney, EMPTY, mayDeliver, reduce } from '../payments/reduce.policy.ts';

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
