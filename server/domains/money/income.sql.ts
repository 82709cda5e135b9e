import { arrayOf, boolean, date, int4, int8, text, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** Amounts in US cents; refunds are credits. */
const SUMS = `coalesce(sum(e.amount) filter (where e.account = 'received'), 0)::bigint as received,
      coalesce(-sum(e.amount) filter (where e.account = 'refunded'), 0)::bigint as refunded`;
const OF_MONEY = "e.asset = 'USD' and e.account in ('received', 'refunded')";

/** Money by week since a day, newest first. */
export const readIncomeWeeks = statement({
  parameters: { since: date },
  row: { week: text, simulation: boolean, orders: int4, received: int8, refunded: int8 },
  text: (at) => `
    select coalesce(to_char(date_trunc('week', t.at at time zone 'UTC'), 'YYYY-MM-DD'), '') as week, t.simulation,
      (count(distinct t.payment_id) filter (where e.account = 'received' and e.amount > 0))::int as orders, ${SUMS}
    from money_transactions t join money_entries e on e.transaction_id = t.id
    where t.at >= ${at.since}::timestamp at time zone 'UTC' and ${OF_MONEY}
    group by 1, 2 order by 1 desc, 2`,
});

/** Money of these requests, over all their orders; real and simulated money separately. */
export const readRequestIncome = statement({
  parameters: { requests: arrayOf(uuid) },
  row: { request: uuid, simulation: boolean, received: int8, refunded: int8 },
  text: (at) => `
    select p.submission_id as request, t.simulation, ${SUMS}
    from payments p join money_transactions t on t.payment_id = p.id join money_entries e on e.transaction_id = t.id
    where p.submission_id = any(${at.requests}) and ${OF_MONEY}
    group by 1, 2`,
});

/** Money of these payments in the ledger, and their refunds with their states. */
export const readPaymentMoney = statement({
  parameters: { payments: arrayOf(uuid) },
  row: { payment: uuid, received: int8, refunded: int8, refunds: text },
  text: (at) => `
    select p.id as payment, coalesce(m.received, 0)::bigint as received, coalesce(m.refunded, 0)::bigint as refunded,
      coalesce((select string_agg(r.number || ' ' || r.state, ', ' order by r.created_at) from refund_cases r
        where r.payment_id = p.id), '') as refunds
    from payments p left join lateral (select ${SUMS}
      from money_transactions t join money_entries e on e.transaction_id = t.id where t.payment_id = p.id and ${OF_MONEY}) m on true
    where p.id = any(${at.payments})`,
});

/** Coins that arrived for these payments, in units of 10^-18, including those that were returned since. */
export const readArrivedCoins = statement({
  parameters: { payments: arrayOf(uuid) },
  row: { payment: uuid, asset: text, amount: text },
  text: (at) => `
    select p.id as payment, e.asset, coalesce(-sum(e.amount), 0)::text as amount
    from payments p join money_transactions t on t.payment_id = p.id join money_entries e on e.transaction_id = t.id
    where p.id = any(${at.payments}) and t.kind = 'received' and e.account = 'orders'
    group by 1, 2 having sum(e.amount) <> 0 order by 1, 2`,
});
