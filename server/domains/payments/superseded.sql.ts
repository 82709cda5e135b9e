import { int4, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/**
 * Earlier orders that were not superseded although the current order of their request is of another plan or price, and that were not paid
 * since. Oldest first.
 */
export const readUnsuperseded = statement({
  parameters: { max: int4 },
  row: { id: uuid },
  text: (at) => `
    select p.id from payments p
    join payments c on c.submission_id = p.submission_id and c.is_current and (c.plan, c.price_usd) <> (p.plan, p.price_usd)
    where not p.is_current and p.state not in ('partially_paid', 'paid', 'overpaid', 'paid_late')
      and p.ledger ->> 'supersededAt' is null
    order by p.created_at limit ${at.max}`,
});
