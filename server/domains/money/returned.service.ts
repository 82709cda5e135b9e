import type { MoneyBack } from '#contract/domains/payments.ts';
import type { Reader } from '#server/db/client.ts';
import { readPaymentMoney } from './income.sql.ts';

/** The returned money of these payments, by the money ledger; payments without any are omitted. */
export async function readMoneyBack(db: Reader, paymentIds: readonly string[]): Promise<Map<string, MoneyBack>> {
  if (paymentIds.length === 0) return new Map();
  const rows = await readPaymentMoney(db, { payments: [...paymentIds] });
  return new Map(
    rows
      .filter(({ refunded }) => refunded > 0)
      .map(({ payment, received, refunded }) => [
        payment,
        {
          receivedUsd: received / 100,
          returnedUsd: refunded / 100,
          // More may have been returned than received: that is a difference for the team, not a debt of the payer.
          remainingUsd: Math.max(0, received - refunded) / 100,
        },
      ]),
  );
}
