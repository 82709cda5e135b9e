import { SMALLEST_SHARE } from '#contract/limits.ts';
import { int4, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/**
 * Payments that are not polled any more and count as failed or expired although money of a deposit arrived that nobody accepted or sent back,
 * or as paid because an earlier version took an acceptance from before the provider failed that money. Oldest first.
 */
export const readEndedWithMoney = statement({
  parameters: { max: int4 },
  row: { id: uuid },
  text: (at) => `
    select p.id from payments p
    cross join lateral (select p.state = 'paid' and p.provider_status in ('failed', 'expired') as before) accepted
    where p.next_check_at is null and (p.state in ('failed', 'expired') and p.ledger ->> 'accepted' is null
        or accepted.before and p.ledger ->> 'accepted' is not null and p.ledger #> '{accepted,ended}' is null)
      and exists (
        select 1 from jsonb_each(p.ledger -> 'deposits') seen(id, deposit)
        cross join lateral (select (seen.deposit ->> 'actuallyPaid')::numeric as paid, (seen.deposit ->> 'payAmount')::numeric as due) amount
        where seen.deposit ->> 'status' in ('waiting', 'expired', 'failed') and amount.paid > 0
          and (amount.due is null or amount.due <= 0 or amount.paid >= amount.due * ${SMALLEST_SHARE})
          and (not accepted.before or (seen.deposit ->> 'updatedAt')::numeric > (p.ledger #>> '{accepted,at}')::numeric))
      and not payment_sent_back(p.id, p.ledger)
    order by p.created_at limit ${at.max}`,
});
