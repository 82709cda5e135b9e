// Checks that the money ledger contains for every order what its payer really paid at the provider, once.
import type pg from 'pg';
import { toFixedPoint } from '#server/lib/fixed-point.ts';
import type { FaultEnvironment } from '../rig/fault-run.ts';
import { type Findings, rowsOf } from './findings.ts';

/** Each query returns one line for each violation. */
const BALANCES: Record<string, string> = {
  'transaction without a balance': `select t.kind || ' of ' || t.subject as line
    from money_transactions t left join money_entries e on e.transaction_id = t.id
    group by t.id, e.asset having coalesce(sum(e.amount), 1) <> 0`,
  total: `select coalesce(t.account, e.account) || ' in ' || coalesce(t.asset, e.asset) as line
    from money_totals t full join (
      select date_trunc('month', m.at at time zone 'UTC')::date as month, m.simulation, m.plan, m.network, e.account, e.asset,
        sum(e.amount) as amount
      from money_transactions m join money_entries e on e.transaction_id = m.id group by 1, 2, 3, 4, 5, 6
    ) e using (month, simulation, plan, network, account, asset)
    where coalesce(t.amount, 0) <> coalesce(e.amount, 0)`,
};

/** Amounts in US cents: the price, what the ledger expects of it, and what arrived according to it. */
const ORDERS = `select p.order_id as key, p.invoice_id as invoice, p.state, p.price_usd * 100 as price,
    coalesce(sum(e.amount) filter (where m.kind = 'expected' and e.account = 'claim'), 0) as expected,
    coalesce(sum(e.amount) filter (where m.kind = 'received' and e.account = 'received'), 0) as received
  from payments p left join money_transactions m on m.payment_id = p.id left join money_entries e on e.transaction_id = m.id
  group by p.id`;

/** What arrived at the provider according to the ledger, in units of 10^-18. */
const DEPOSITS = `select m.subject as key, sum(e.amount)::text as units from money_transactions m
  join money_entries e on e.transaction_id = m.id
  where m.kind = 'received' and e.account = 'provider' group by 1`;

/**
 * Checks the money ledger against its own rules, the orders, and the provider's data.
 * @param reviewed orders may also wait for a person, who decides what their money is worth.
 */
export async function checkMoney(
  client: pg.Client,
  environment: FaultEnvironment,
  { lost, doubled, wrong }: Findings,
  reviewed: boolean,
): Promise<void> {
  for (const [what, text] of Object.entries(BALANCES))
    for (const { line } of await rowsOf(client, text)) wrong.push(`money ledger: ${what}, ${line}`);
  const orders = await rowsOf(client, ORDERS);
  for (const { key, state, ...row } of orders) {
    if (reviewed && state === 'under_review') continue;
    const [price, expected, received] = [Number(row['price']), Number(row['expected']), Number(row['received'])];
    if (state !== 'paid') {
      if (received !== 0) doubled.push(`money ledger: ${received} cents of order ${key}, which is ${state}`);
      continue;
    }
    if (expected !== price) wrong.push(`money ledger: ${expected} of ${price} cents are expected of order ${key}`);
    if (received < price) lost.push(`money ledger: ${received} of ${price} cents of order ${key}`);
    if (received > price) doubled.push(`money ledger: ${received} for ${price} cents of order ${key}`);
  }
  const entered = new Map((await rowsOf(client, DEPOSITS)).map(({ key, units }) => [String(key), BigInt(units ?? 0)]));
  for (const { invoice, state } of orders) {
    for (const { payment_id: id, actually_paid: paid } of environment.provider.emulator.payments(Number(invoice))) {
      const units = toFixedPoint(String(paid));
      const there = entered.get(String(id)) ?? 0n;
      if (there < units) lost.push(`money ledger: deposit ${id} of an order that is ${state}: ${there} of ${units}`);
      if (there > units) doubled.push(`money ledger: deposit ${id}: ${there} for ${units}`);
      entered.delete(String(id));
    }
  }
  for (const id of entered.keys()) doubled.push(`money ledger: deposit ${id}: the provider has none of that number`);
}
