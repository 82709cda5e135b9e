import { int4, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/**
 * Payments of which the team sent all money back without a record of that fact, so that they still have open deliverables, or a reason for a
 * review that it ends. Oldest first. `offset 0` keeps the planner from computing the money sent back for every payment.
 */
export const readMissedReturns = statement({
  parameters: { max: int4 },
  row: { id: uuid },
  text: (at) => `
    select p.id from (
      select p.id, p.ledger, p.created_at from (
        select d.payment_id as id from refund_cases r join deliverables d on d.payment_id = r.payment_id and d.state = 'open'
        where r.state = 'sent' and not r.by_provider
        union
        select p.id from payments p join refund_cases r on r.payment_id = p.id and r.state = 'sent' and not r.by_provider
        where p.attention <> '{}'
          and p.attention && '{partially_paid,superseded,repeat_deposit,wrong_order,ended_with_money,several_deposits,late,paid_twice}'::text[]
          and coalesce(jsonb_array_length(p.ledger -> 'sentBack'), 0) = 0
      ) c join payments p on p.id = c.id and p.state <> 'refunded' offset 0) p
    where payment_sent_back(p.id, p.ledger) order by p.created_at limit ${at.max}`,
});
