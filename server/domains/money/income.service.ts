import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { IncomeRow, LaunchIncomeRow } from '#contract/admin/money.ts';
import { REPORT_WEEKS } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { asBoolean, asText } from '#server/db/expressions.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { monday } from '#server/lib/clock.ts';
import { iso, listRecords, type PageQuery } from '#server/records/lists.ts';
import { readIncomeWeeks, readRequestIncome } from './income.sql.ts';

const moneyOf = ({ received, refunded }: { received: number; refunded: number }) => ({
  receivedCents: received,
  refundedCents: refunded,
  netCents: received - refunded,
});

/** Income of the last weeks, newest first, by when the money arrived or was refunded; weeks without any are omitted. */
export async function listIncome(
  db: Reader,
  now: Date,
  { page, size }: Omit<PageQuery, 'sort'>,
): Promise<{ rows: IncomeRow[]; total: number }> {
  const weeks = await readIncomeWeeks(db, { since: monday(now, REPORT_WEEKS - 1) });
  const rows = weeks.map(({ week, simulation, orders, ...money }) => ({
    id: `${week}|${simulation}`,
    week,
    simulation,
    orders,
    ...moneyOf(money),
  }));
  return { rows: rows.slice((page - 1) * size, page * size), total: rows.length };
}

/** Received real money minus refunded money, by the Monday of its week, since a day, as in the money report. US dollars. */
export async function netIncomeByWeek(db: Reader, since: string): Promise<Map<string, number>> {
  const weeks = await readIncomeWeeks(db, { since });
  return new Map(
    weeks.filter(({ simulation }) => !simulation).map(({ week, ...money }) => [week, moneyOf(money).netCents / 100]),
  );
}

/** Income by token: the requests for which money arrived. Simulated money is only counted where no real money arrived. */
export async function listLaunchIncome(
  db: Reader,
  input: PageQuery,
): Promise<{ rows: LaunchIncomeRow[]; total: number }> {
  return listRecords(
    db,
    input,
    {
      from: sql`from token_creation_submissions r`,
      // By the ledger: `payments.received_usd` is 0 again once the provider has returned the money.
      where: [
        sql`exists (select 1 from payments p join money_transactions t on t.payment_id = p.id
          join money_entries e on e.transaction_id = t.id
          where p.submission_id = r.id and e.asset = 'USD' and e.account = 'received'
          group by t.simulation having sum(e.amount) > 0)`,
      ],
      sorts: { createdAt: sql`r.created_at` },
      notNull: ['createdAt'],
      tieBreaker: sql`r.id`,
      id: sql`r.id`,
    },
    async ({ where, orderBy }) => {
      const r = alias(tokenCreationSubmissions, 'r');
      const requests = await db
        .select({
          id: r.id,
          tokenName: sql`coalesce(r.token_data ->> 'tokenName', '')`.mapWith(asText),
          tokenSymbol: sql`coalesce(r.token_data ->> 'tokenSymbol', '')`.mapWith(asText),
          plan: r.membershipType,
          network: sql`coalesce(r.selected_network, '')`.mapWith(asText),
          createdAt: r.createdAt,
          delivered: sql`(coalesce(r.closed_as = 'delivered', false) or exists
            (select 1 from token_creations c where c.submission_id = r.id and c.state = 'completed'))`.mapWith(
            asBoolean,
          ),
        })
        .from(r)
        .where(where)
        .orderBy(orderBy);
      const sums = await readRequestIncome(db, { requests: requests.map(({ id }) => id) });
      return requests.map((row) => {
        const own = sums.filter(({ request }) => request === row.id);
        const counted = own.find(({ simulation }) => !simulation) ?? own[0];
        return {
          ...row,
          createdAt: iso(row.createdAt),
          simulation: counted?.simulation ?? false,
          ...moneyOf(counted ?? { received: 0, refunded: 0 }),
        };
      });
    },
  );
}
