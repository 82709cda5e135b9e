import { arrayOf, text } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** Amounts of the money ledger for these months, plans and networks, by key. */
export const readMoneyOf = statement({
  parameters: { keys: arrayOf(text) },
  row: { key: text, account: text, asset: text, amount: text },
  text: (at) => `
    select coalesce(concat_ws('|', to_char(m.month, 'YYYY-MM'), m.plan, m.network, m.simulation), '') as key, m.account, m.asset,
      m.amount::text as amount
    from money_totals m
    where m.amount <> 0
      and concat_ws('|', to_char(m.month, 'YYYY-MM'), m.plan, m.network, m.simulation) = any(${at.keys})
    order by m.account, m.asset`,
});
