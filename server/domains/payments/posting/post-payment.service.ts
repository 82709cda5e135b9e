import type { Tx } from '#server/db/client.ts';
import { depositParts, orderParts, postedValues, postMoney } from '#server/domains/money/posting.service.ts';
import type { PaymentRow } from '#server/domains/payments/facts/record.service.ts';
import { type KnownFacts, termsOf } from '#server/domains/payments/facts/reduce.policy.ts';
import { orderFigures, type Worth, worthIn } from './order-figures.policy.ts';

type PostedPayment = Pick<PaymentRow, 'id' | 'orderId' | 'plan' | 'priceUsd' | 'simulation' | 'expiresAt'>;

/** Posts the money in the known facts of a payment to the money ledger, in the transaction that records the facts. */
export async function postPayment(tx: Tx, row: PostedPayment, knownFacts: KnownFacts, at: Date): Promise<void> {
  const { expected, deposits, short } = orderFigures(knownFacts, termsOf(row));
  const about = { simulation: row.simulation, order: { paymentId: row.id, plan: row.plan }, at };
  // Such a deposit had a value only if the team had accepted it, which its return ended: that value was received and returned. For one that
  // never counted neither is posted.
  const odd = deposits.filter(({ deposit, cents }) => deposit.status === 'refunded' && cents === 0n);
  const values = await postedValues(
    tx,
    odd.map(({ deposit }) => deposit.paymentId),
    row.simulation,
  );
  const parts = deposits.flatMap(({ deposit, outcome, cents }) =>
    depositParts(deposit, { outcome, cents: values.get(deposit.paymentId) ?? cents, holder: 'orders' }),
  );
  await postMoney(tx, [...orderParts(row.orderId, BigInt(row.priceUsd) * 100n, { expected, short }), ...parts], about);
}

/** Posts payments that are older than the money ledger: each part at its original time, if that was stored. */
export async function postHistory(tx: Tx, row: PaymentRow): Promise<void> {
  const { expected, deposits, short } = orderFigures(row.knownFacts, termsOf(row));
  const about = { simulation: row.simulation, order: { paymentId: row.id, plan: row.plan } };
  const price = BigInt(row.priceUsd) * 100n;
  // For an ended order nothing is posted for its price: the entry and its reversal would cancel out.
  const [agreed, letGo] = orderParts(row.orderId, price, { expected, short });
  if (agreed) await postMoney(tx, [agreed], { ...about, at: row.createdAt });
  for (const { deposit, outcome, cents } of deposits) {
    const at = deposit.updatedAt > 0 ? new Date(deposit.updatedAt) : (row.confirmedAt ?? row.updatedAt);
    await postMoney(tx, depositParts(deposit, { outcome, cents, holder: 'orders' }), { ...about, at });
  }
  const { accepted } = row.knownFacts;
  if (letGo && accepted) await postMoney(tx, [letGo], { ...about, at: new Date(accepted.at) });
}

/** The money of a payment in one coin that is held. */
export const worthOf = (row: PaymentRow, asset: string): Worth =>
  worthIn(orderFigures(row.knownFacts, termsOf(row)).deposits, asset);
