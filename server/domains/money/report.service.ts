import { sql } from 'drizzle-orm';
import type { MoneyFilters, MoneyRow } from '#contract/admin/money.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Reader } from '#server/db/client.ts';
import { asBoolean, asText } from '#server/db/expressions.ts';
import { fromFixedPoint } from '#server/lib/fixed-point.ts';
import { type ListQuery, listRecords } from '#server/records/lists.ts';
import { networkOfOrder } from './order-network.sql.ts';
import { readMoneyOf } from './report.sql.ts';

/**
 * Each month, plan and network with money, late deliverables or differences: computed from the totals, whose number is independent
 * of the postings, and from open deliverables and differences.
 */
const ROWS = sql.raw(`(
  select concat_ws('|', month, plan, network, simulation) as id, month, plan, network, simulation,
    sum(overdue) as overdue, sum(differences) as differences
  from (
    select distinct to_char(month, 'YYYY-MM') as month, plan, network, simulation, 0 as overdue, 0 as differences
    from money_totals where amount <> 0
    union all
    select to_char(d.due_at at time zone 'UTC', 'YYYY-MM'), p.plan, ${networkOfOrder('t')}, p.simulation, 1, 0
    from deliverables d join payments p on p.id = d.payment_id join token_creation_submissions t on t.id = p.submission_id
    where d.state = 'open' and d.due_at <= now()
    union all
    select to_char(s.found_at at time zone 'UTC', 'YYYY-MM'), coalesce(p.plan, ''), ${networkOfOrder('t')},
      coalesce(p.simulation, false), 0, 1
    from settlement_differences s left join payments p on p.id = s.payment_id
      left join token_creation_submissions t on t.id = p.submission_id
    where s.gone_at is null and s.explained_at is null) parts
  group by month, plan, network, simulation)`);

/** Money by month, plan and network; `q` is the beginning of a month. */
export function listMoney(db: Reader, input: ListQuery & MoneyFilters): Promise<{ rows: MoneyRow[]; total: number }> {
  const month = cleanText(input.q, 'line');
  return listRecords(
    db,
    input,
    {
      from: sql`from ${ROWS} m`,
      where: [
        input.plan && sql`m.plan = ${input.plan}`,
        input.network ? sql`m.network = ${input.network}` : undefined,
        input.simulation && sql`m.simulation = ${input.simulation === 'yes'}`,
        month ? sql`starts_with(m.month, ${month})` : undefined,
      ],
      sorts: { month: sql`m.month` },
      notNull: ['month'],
      tieBreaker: sql`m.id`,
      id: sql`m.id`,
    },
    async ({ where, orderBy }) => {
      const rows = await db
        .select({
          id: sql`m.id`.mapWith(asText),
          month: sql`m.month`.mapWith(asText),
          plan: sql`m.plan`.mapWith(asText),
          network: sql`m.network`.mapWith(asText),
          simulation: sql`m.simulation`.mapWith(asBoolean),
          overdue: sql`m.overdue`.mapWith(Number),
          differences: sql`m.differences`.mapWith(Number),
        })
        .from(sql`${ROWS} m`)
        .where(where)
        .orderBy(orderBy);
      const sums = await readMoneyOf(db, { keys: rows.map(({ id }) => id) });
      return rows.map((row) => ({ ...row, ...moneyOf(sums.filter(({ key }) => key === row.id)) }));
    },
  );
}

type Sum = Awaited<ReturnType<typeof readMoneyOf>>[number];

function moneyOf(sums: Sum[]) {
  const cents = (account: string) => Number(sums.find((one) => one.account === account)?.amount ?? 0);
  const coins = (account: string, sign: bigint) =>
    sums
      .filter((one) => one.account === account)
      .map(({ asset, amount }) => `${fromFixedPoint(sign * BigInt(amount))} ${asset}`)
      .join(', ');
  return {
    // Agreed prices and refunds are credits.
    expectedCents: 0 - cents('sales'),
    receivedCents: cents('received'),
    shortCents: cents('short'),
    refundedCents: 0 - cents('refunded'),
    fees: coins('fees', 1n),
    unplaced: coins('unplaced', -1n),
  };
}
