-- After the team had sent all money of a payment back, a deposit of it that grew made it paid for all that ever arrived: a part payment that
-- was refunded and then topped up was paid in full, with a part of its price held. A deposit that was sent back counts again only when an
-- admin accepted it afterwards.
-- Step: expand; safe while the old server still runs: it calls the same functions, and stores no time of a refund.
-- Mode: online
-- Undo: the function as in migration 20261129064000.

create or replace function payment_sent_back(of_payment uuid, facts jsonb) returns boolean language sql stable as $$
  select exists (select 1 from refund_cases r where r.payment_id = of_payment and r.state = 'sent' and not r.by_provider)
    and not exists (
      select 1 from jsonb_each(facts -> 'deposits') seen(id, deposit)
      left join lateral (
        select sum(r.amount) as units, max(r.decimals) as decimals from refund_cases r
        where r.payment_id = of_payment and r.state = 'sent' and not r.by_provider and r.asset = lower(seen.deposit ->> 'payCurrency')
      ) sent on true
      cross join lateral (select
        coalesce(jsonb_array_length(facts -> 'sentBack'), 0) = 0 as unrecorded,
        coalesce((facts -> 'sentBack') ? seen.id, false) as was_back,
        coalesce((facts #> '{accepted,of}') ? seen.id, false)
          and coalesce((facts #>> '{accepted,at}')::numeric > coalesce((facts ->> 'sentBackAt')::numeric, 0), false) as accepted_since
      ) is_
      where seen.deposit ->> 'status' <> 'refunded' and coalesce((seen.deposit ->> 'actuallyPaid')::numeric, 0) > 0
        and case when is_.unrecorded or is_.was_back then true
          else coalesce((facts #> '{accepted,of}') ? seen.id, false) or exists (
            select 1 from payments p where p.id = of_payment and p.order_id = seen.deposit ->> 'orderId'
              and seen.deposit ->> 'parentId' is null and p.price_usd = (seen.deposit ->> 'priceAmount')::numeric
              and (p.state = 'partially_paid' or (seen.deposit ->> 'status' = 'finished'
                and (seen.deposit ->> 'actuallyPaid')::numeric >= (seen.deposit ->> 'payAmount')::numeric))) end
      group by sent.units, sent.decimals, lower(seen.deposit ->> 'payCurrency')
      having bool_or(is_.unrecorded or not is_.was_back or is_.accepted_since)
        and (sent.units is null or sent.units < sum(trunc(
          coalesce(seen.deposit ->> 'paidText', seen.deposit ->> 'actuallyPaid')::numeric * power(10::numeric, sent.decimals)))))
$$;

-- Batch
update token_creation_submissions t set payment_stage = request_payment_stage(t.id)
  where t.id in (select s.id from token_creation_submissions s
    where s.id in (select r.submission_id from refund_cases r where r.state = 'sent')
      and s.payment_stage <> request_payment_stage(s.id) limit 1000);
