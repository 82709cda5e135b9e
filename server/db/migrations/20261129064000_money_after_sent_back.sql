-- After the team had sent all money of a payment back, any later deposit made it paid again for the price that is gone: a cent that the
-- payer sent, and a token could be ordered for it. Money that arrived since then counts when it is a payment in full, an admin accepted
-- it, or the payment is one in part.
-- Step: expand; safe while the old server still runs: it calls the same functions.
-- Mode: online
-- Undo: the function as in migration 20261129023500.

create or replace function payment_sent_back(of_payment uuid, facts jsonb) returns boolean language sql stable as $$
  select exists (select 1 from refund_cases r where r.payment_id = of_payment and r.state = 'sent' and not r.by_provider)
    and not exists (
      select 1 from jsonb_each(facts -> 'deposits') seen(id, deposit)
      left join lateral (
        select sum(r.amount) as units, max(r.decimals) as decimals from refund_cases r
        where r.payment_id = of_payment and r.state = 'sent' and not r.by_provider and r.asset = lower(seen.deposit ->> 'payCurrency')
      ) sent on true
      where seen.deposit ->> 'status' <> 'refunded' and coalesce((seen.deposit ->> 'actuallyPaid')::numeric, 0) > 0
        and case when coalesce(jsonb_array_length(facts -> 'sentBack'), 0) = 0 or (facts -> 'sentBack') ? seen.id then true
          else coalesce((facts #> '{accepted,of}') ? seen.id, false) or exists (
            select 1 from payments p where p.id = of_payment and p.order_id = seen.deposit ->> 'orderId'
              and seen.deposit ->> 'parentId' is null and p.price_usd = (seen.deposit ->> 'priceAmount')::numeric
              and (p.state = 'partially_paid' or (seen.deposit ->> 'status' = 'finished'
                and (seen.deposit ->> 'actuallyPaid')::numeric >= (seen.deposit ->> 'payAmount')::numeric))) end
      group by sent.units, sent.decimals, lower(seen.deposit ->> 'payCurrency')
      having sent.units is null or sent.units < sum(trunc(
        coalesce(seen.deposit ->> 'paidText', seen.deposit ->> 'actuallyPaid')::numeric * power(10::numeric, sent.decimals))))
$$;

-- Batch
update token_creation_submissions t set payment_stage = request_payment_stage(t.id)
  where t.id in (select s.id from token_creation_submissions s
    where s.id in (select r.submission_id from refund_cases r where r.state = 'sent')
      and s.payment_stage <> request_payment_stage(s.id) limit 1000);
