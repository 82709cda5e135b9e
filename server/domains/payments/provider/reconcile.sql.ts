import { arrayOf, int4, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/**
 * Payments that are due, or changed in the provider's list, ranked by their evidence of money: 0 changed in the list, 1 a callback
 * named a deposit that was not observed, 2 money is on its way, is short or needs a review, 3 any deposit was observed, including a
 * coin that was only chosen.
 */
export const findWithEvidence = statement({
  parameters: { changed: arrayOf(uuid), at: timestamptz, max: int4 },
  row: { id: uuid, rank: int4 },
  text: (at) => `
    select id, rank from (
      select id, next_check_at, case
        when id = any(${at.changed}) then 0
        when exists (select 1 from payment_events e where e.payment_id = p.id and e.kind = 'webhook'
          and not (p.ledger -> 'deposits') ? e.provider_payment_id) then 1
        when state in ('confirming', 'partially_paid', 'under_review') then 2
        when p.ledger -> 'deposits' <> '{}' then 3 else 4 end as rank
      from payments p where next_check_at <= ${at.at} or id = any(${at.changed})) q
    where rank < 4 order by rank, next_check_at limit ${at.max}`,
});
