import type { Tx } from '#server/db/client.ts';
import { depositParts, enterMoney, orderParts } from '#server/domains/money/book.service.ts';
import { accountOf, worthIn } from './account.policy.ts';
import type { PaymentRow } from './ledger.service.ts';
import { type Ledger, termsOf } from './reduce.policy.ts';

type Booked = Pick<PaymentRow, 'id' | 'orderId' | 'plan' | 'priceUsd' | 'simulation' | 'expiresAt'>;

/** Enters what a payment's ledger says of money into the money ledger, in the transaction in which it was learned. */
export async function bookPayment(tx: Tx, row: Booked, ledger: Ledger, at: Date): Promise<void> {
  const { expected, deposits, short } = accountOf(ledger, termsOf(row));
  const about = { simulation: row.simulation, order: { paymentId: row.id, plan: row.plan }, at };
  const parts = deposits.flatMap(({ deposit, outcome, cents }) =>
    depositParts(deposit, { outcome, cents, holder: 'orders' }),
  );
  await enterMoney(tx, [...orderParts(row.orderId, BigInt(row.priceUsd) * 100n, { expected, short }), ...parts], about);
}

/**
 * The same for what was known before there was a money ledger: each part at the moment at which it happened, as far as that
 * was kept.
 */
export async function bookHistory(tx: Tx, row: PaymentRow): Promise<void> {
  const { expected, deposits, short } = accountOf(row.ledger, termsOf(row));
  const about = { simulation: row.simulation, order: { paymentId: row.id, plan: row.plan } };
  const price = BigInt(row.priceUsd) * 100n;
  // An order that ended says nothing of its price: it came and went.
  const [agreed, letGo] = orderParts(row.orderId, price, { expected, short });
  if (agreed) await enterMoney(tx, [agreed], { ...about, at: row.createdAt });
  for (const { deposit, outcome, cents } of deposits) {
    const at = deposit.updatedAt > 0 ? new Date(deposit.updatedAt) : (row.confirmedAt ?? row.updatedAt);
    await enterMoney(tx, depositParts(deposit, { outcome, cents, holder: 'orders' }), { ...about, at });
  }
  const { accepted } = row.ledger;
  if (letGo && accepted) await enterMoney(tx, [letGo], { ...about, at: new Date(accepted.at) });
}

/** What is here of a coin for a payment, in units of 10^-18, and its worth in US cents. */
export const worthOf = (row: PaymentRow, asset: string): { units: bigint; cents: bigint } =>
  worthIn(accountOf(row.ledger, termsOf(row)).deposits, asset);
