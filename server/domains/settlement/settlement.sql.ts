import { boolean, orNull, text, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** Totals that differ from the sums of their entries. */
export const readWrongTotals = statement({
  parameters: {},
  row: { subject: text, asset: text, ours: text, theirs: text },
  text: () => `
    select coalesce(m.key, s.key, '') as subject, coalesce(m.asset, s.asset, '') as asset,
      coalesce(m.amount, 0)::text as ours, coalesce(s.amount, 0)::text as theirs
    from (select concat_ws(' ', month, simulation, plan, network, account) as key, asset, amount from money_totals) m
    full join (
      select concat_ws(' ', date_trunc('month', t.at at time zone 'UTC')::date, t.simulation, t.plan, t.network, e.account) as key,
        e.asset, sum(e.amount) as amount
      from money_transactions t join money_entries e on e.transaction_id = t.id group by 1, 2) s
      on s.key = m.key and s.asset = m.asset
    where coalesce(m.amount, 0) <> coalesce(s.amount, 0)`,
});

/** Orders for which more was returned than received. */
export const readOverReturned = statement({
  parameters: { simulation: boolean },
  row: { paymentId: uuid, orderId: text, asset: text, amount: text },
  text: (at) => `
    select p.id as "paymentId", p.order_id as "orderId", e.asset, coalesce(sum(e.amount), 0)::text as amount
    from money_transactions t join money_entries e on e.transaction_id = t.id join payments p on p.id = t.payment_id
    where e.account = 'orders' and t.simulation = ${at.simulation} group by p.id, p.order_id, e.asset
    having sum(e.amount) > 0`,
});

/** Deposits for which the money ledger has money, with the payment of those that have an order. */
export const readBookedIds = statement({
  parameters: { simulation: boolean, after: text },
  row: { subject: text, paymentId: orNull(uuid) },
  text: (at) => `
    select t.subject, (array_agg(t.payment_id order by t.id desc) filter (where t.payment_id is not null))[1] as "paymentId"
    from money_transactions t
    where t.kind = 'received' and t.simulation = ${at.simulation} and t.subject > ${at.after}
    group by t.subject order by t.subject limit 5000`,
});
