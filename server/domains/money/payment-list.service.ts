import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { MoneyFilters, PaymentListRow } from '#contract/admin/money.ts';
import type { PaymentState } from '#contract/domains/payments.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Reader } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';
import { payments } from '#server/db/tables/payments.ts';
import { fromFixedPoint } from '#server/lib/fixed-point.ts';
import { iso, type ListQuery, listRecords } from '#server/records/lists.ts';
import { readArrivedCoins, readPaymentMoney } from './income.sql.ts';
import { networkOfOrder } from './order-network.sql.ts';

interface PaymentsQuery extends ListQuery, MoneyFilters {
  month?: string | undefined;
  state?: PaymentState | undefined;
}

/** The date of a payment; the expression of its index. */
const DATE = sql.raw('coalesce(p.confirmed_at, p.created_at)');
const NETWORK = sql.raw(networkOfOrder('s'));

/** Payments one by one, also those without money; `q` is the beginning of an order's number. */
export async function listPayments(
  db: Reader,
  input: PaymentsQuery,
): Promise<{ rows: PaymentListRow[]; total: number }> {
  const number = cleanText(input.q, 'line').toUpperCase();
  const { month } = input;
  return listRecords(
    db,
    input,
    {
      from: sql`from payments p join token_creation_submissions s on s.id = p.submission_id`,
      where: [
        input.plan && sql`p.plan = ${input.plan}`,
        input.network ? sql`${NETWORK} = ${input.network}` : undefined,
        input.simulation && sql`p.simulation = ${input.simulation === 'yes'}`,
        input.state && sql`p.state = ${input.state}`,
        month
          ? sql`${DATE} >= ${`${month}-01`}::timestamp at time zone 'UTC'
              and ${DATE} < (${`${month}-01`}::timestamp + interval '1 month') at time zone 'UTC'`
          : undefined,
        number ? sql`starts_with(p.order_id, ${number})` : undefined,
      ],
      sorts: { at: DATE },
      notNull: ['at'],
      tieBreaker: sql`p.id`,
      id: sql`p.id`,
    },
    async ({ where, orderBy }) => {
      const p = alias(payments, 'p');
      const rows = await db
        .select({
          id: p.id,
          orderId: p.orderId,
          createdAt: p.createdAt,
          confirmedAt: p.confirmedAt,
          tokenName: sql`coalesce(s.token_data ->> 'tokenName', '')`.mapWith(asText),
          plan: p.plan,
          network: sql`${NETWORK}`.mapWith(asText),
          state: p.state,
          priceUsd: p.priceUsd,
          providerPaymentId: sql`coalesce(p.provider_payment_id, '')`.mapWith(asText),
          simulation: p.simulation,
        })
        .from(p)
        .innerJoin(sql`token_creation_submissions s`, sql`s.id = ${p.submissionId}`)
        .where(where)
        .orderBy(orderBy);
      const ids = rows.map(({ id }) => id);
      const [money, coins] = await Promise.all([
        readPaymentMoney(db, { payments: ids }),
        readArrivedCoins(db, { payments: ids }),
      ]);
      return rows.map(({ priceUsd, createdAt, confirmedAt, ...row }) => {
        const own = money.find(({ payment }) => payment === row.id);
        return {
          id: row.id,
          orderId: row.orderId,
          at: iso(confirmedAt ?? createdAt),
          createdAt: iso(createdAt),
          confirmedAt: confirmedAt && iso(confirmedAt),
          tokenName: row.tokenName,
          plan: row.plan,
          network: row.network,
          state: row.state,
          priceCents: priceUsd * 100,
          amounts: coins
            .filter(({ payment }) => payment === row.id)
            .map(({ asset, amount }) => `${fromFixedPoint(BigInt(amount))} ${asset}`)
            .join(', '),
          receivedCents: own?.received ?? 0,
          refundedCents: own?.refunded ?? 0,
          refunds: own?.refunds ?? '',
          providerPaymentId: row.providerPaymentId,
          simulation: row.simulation,
        };
      });
    },
  );
}
