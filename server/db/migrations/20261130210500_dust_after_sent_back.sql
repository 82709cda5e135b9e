-- After the team had sent all money of a payment back that was worth it, less than a hundredth of what was due in another coin kept it from
-- counting as sent back: its page said that all is paid and that the token is prepared, and a token could be ordered for it.
-- Step: expand; safe while the old server still runs: it calls the same functions.
-- Mode: online
-- Undo: the function payment_sent_back as in migration 20261129080000; drop function deposit_is_dust.

-- A deposit of less than a hundredth of what was due for it, of a payment that has others. The provider takes no such share of a first one.
create or replace function deposit_is_dust(of_deposit jsonb, facts jsonb) returns boolean language sql immutable as $$
  select coalesce((of_deposit ->> 'payAmount')::numeric > 0
      and (of_deposit ->> 'actuallyPaid')::numeric < (of_deposit ->> 'payAmount')::numeric * 0.01, false)
    and exists (select 1 from jsonb_each(facts -> 'deposits') other(id, deposit)
      where other.deposit ->> 'status' <> 'refunded' and (other.deposit ->> 'actuallyPaid')::numeric > 0
        and coalesce((other.deposit ->> 'actuallyPaid')::numeric >= (other.deposit ->> 'payAmount')::numeric * 0.01, true))
$$;

-- As before, without dust, unless an admin accepted it after the rest had gone back.
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
        and ((is_.accepted_since and not is_.unrecorded) or not deposit_is_dust(seen.deposit, facts))
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
