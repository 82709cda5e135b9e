import { int4, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { SMALLEST_SHARE } from '#server/domains/payments/facts/ended-deposits.policy.ts';

/**
 * Payments that count as failed or expired although money of an attempt arrived that nobody accepted or sent back, and that are not polled
 * any more. Oldest first.
 */
export const readEndedWithMoney = statement({
  parameters: { max: int4 },
  row: { id: uuid },
  text: (at) => `
    select p.id from payments p
    where p.state in ('failed', 'expired') and p.next_check_at is null and p.ledger ->> 'accepted' is null
      and exists (
        select 1 from jsonb_each(p.ledger -> 'deposits') seen(id, deposit)
        cross join lateral (select (seen.deposit ->> 'actuallyPaid')::numeric as paid, (seen.deposit ->> 'payAmount')::numeric as due) amount
        where seen.deposit ->> 'status' in ('waiting', 'expired', 'failed') and amount.paid > 0
          and (amount.due is null or amount.due <= 0 or amount.paid >= amount.due * ${SMALLEST_SHARE}))
      and not payment_sent_back(p.id, p.ledger)
    order by p.created_at limit ${at.max}`,
});
