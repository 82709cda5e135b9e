import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { refundAsset } from '#contract/refund-assets.ts';
import type { Tx } from '#server/db/client.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import { findPayments, type PaymentRow, seenDeposits } from '#server/domains/payments/facts/record.service.ts';
import { isOnItsWay } from '#server/domains/payments/orders/request-payments.service.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { toFixedPoint } from '#server/lib/fixed-point.ts';
import type { Deposit } from '#server/providers/payments/port.ts';
import type { RefundRow } from './cases.service.ts';

/** Arrived amount of a deposit, in the smallest unit of its coin, rounded down. */
export const unitsIn = ({ paidText, actuallyPaid }: Deposit, decimals: number): bigint =>
  toFixedPoint(paidText ?? String(actuallyPaid ?? 0), decimals);

/**
 * Coins that arrived for a payment, with the amount of each in smallest units; null for a coin with unknown decimals. Deposits that
 * the provider returned are excluded.
 */
export const arrivedAssets = (row: PaymentRow): Map<string, bigint | null> => assetsOf(seenDeposits(row));

function assetsOf(deposits: readonly Deposit[]): Map<string, bigint | null> {
  const arrived = new Map<string, bigint | null>();
  for (const deposit of deposits) {
    const { payCurrency, actuallyPaid, status } = deposit;
    if (status === 'refunded') continue;
    if (!payCurrency || !actuallyPaid || actuallyPaid <= 0) continue;
    const asset = payCurrency.toLowerCase();
    const { decimals } = refundAsset(asset) ?? {};
    const units = decimals === undefined ? null : unitsIn(deposit, decimals);
    const before = arrived.has(asset) ? (arrived.get(asset) ?? null) : 0n;
    arrived.set(asset, units === null || before === null ? null : before + units);
  }
  return arrived;
}

/**
 * True when version 0.2.0 noted a refund of a payment that was made by hand. It noted every deposit and stored the amount only as text in the
 * audit log; later versions note deposits that the provider returned, and have refunds for all other money.
 */
export const isRefundNotedByHand = ({ knownFacts: { deposits, unknown, refundsNoted } }: PaymentRow): boolean =>
  refundsNoted.some((id) => {
    const deposit = deposits[id] ?? unknown[id];
    return deposit !== undefined && deposit.status !== 'refunded' && (deposit.actuallyPaid ?? 0) > 0;
  });

async function sumOf(tx: Tx, paymentId: string, asset: string, which: SQL): Promise<bigint> {
  const cases = await tx
    .select({ amount: refundCases.amount })
    .from(refundCases)
    .where(
      and(
        eq(refundCases.paymentId, paymentId),
        eq(refundCases.asset, asset),
        // The deposit that it refunded is not part of what arrived.
        eq(refundCases.byProvider, false),
        which,
      ),
    );
  return cases.reduce((sum, { amount }) => sum + amount, 0n);
}

/**
 * @throws REFUND_REFUSED when less than the refund is left of the arrived amount, because the provider returned it or another
 *   refund covers it, or when some of that is still on its way: the provider may fail it. The request has to be locked.
 */
export async function refuseUnlessLeft(
  tx: Tx,
  { paymentId, asset, amount }: Pick<RefundRow, 'paymentId' | 'asset' | 'amount'>,
): Promise<void> {
  const [payment] = await findPayments(tx, sql`id = ${paymentId}`);
  const deposits = payment ? seenDeposits(payment) : [];
  const certain = deposits.filter((deposit) => payment && !isOnItsWay(payment, deposit));
  const needed = amount + (await sentUnits(tx, paymentId, asset));
  if (needed > (assetsOf(deposits).get(asset) ?? 0n)) fail('REFUND_REFUSED', { why: 'returned' });
  if (needed > (assetsOf(certain).get(asset) ?? 0n)) fail('REFUND_REFUSED', { why: 'under_way' });
}

/** Amount of a coin that the team sent for a payment, in smallest units. The request has to be locked. */
export const sentUnits = (tx: Tx, paymentId: string, asset: string): Promise<bigint> =>
  sumOf(tx, paymentId, asset, eq(refundCases.state, 'sent'));

/** Arrived amount of a coin for a payment that is not in a refund yet, in smallest units. The request has to be locked. */
export async function remaining(tx: Tx, row: PaymentRow, asset: string): Promise<bigint | null> {
  const arrived = arrivedAssets(row).get(asset);
  if (arrived === undefined || arrived === null) return null;
  return arrived - (await sumOf(tx, row.id, asset, ne(refundCases.state, 'withdrawn')));
}
