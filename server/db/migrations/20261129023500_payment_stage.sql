-- The list of token requests by the stage of their payment computed the stage of every request with a sent refund: seconds where there are
-- a hundred thousand of them. The stage is a column of the request now, which triggers keep in the transaction of the change, and the list
-- reads an index.
-- Step: expand; safe while the old server still runs: triggers do it for what it writes, and it reads nothing of this.
-- Mode: online
-- Undo: drop the triggers, the functions and the column.

-- The team refunded all money of a payment that the provider did not return itself. The provider does not know of it.
create or replace function payment_sent_back(of_payment uuid, facts jsonb) returns boolean language sql stable as $$
  select exists (select 1 from refund_cases r where r.payment_id = of_payment and r.state = 'sent' and not r.by_provider)
    and not exists (
      select 1 from jsonb_each(facts -> 'deposits') seen(id, deposit)
      left join lateral (
        select sum(r.amount) as units, max(r.decimals) as decimals from refund_cases r
        where r.payment_id = of_payment and r.state = 'sent' and not r.by_provider and r.asset = lower(seen.deposit ->> 'payCurrency')
      ) sent on true
      where seen.deposit ->> 'status' <> 'refunded' and coalesce((seen.deposit ->> 'actuallyPaid')::numeric, 0) > 0
      group by sent.units, sent.decimals, lower(seen.deposit ->> 'payCurrency')
      having sent.units is null or sent.units < sum(trunc(
        coalesce(seen.deposit ->> 'paidText', seen.deposit ->> 'actuallyPaid')::numeric * power(10::numeric, sent.decimals))))
$$;

-- The stage of a payment for the team. Accepted: an admin took what arrived as enough, and none of it was returned since.
create or replace function payment_stage(of_payment uuid, of_state text, facts jsonb) returns text language sql stable as $$
  select case
    when of_state = 'refunded' or payment_sent_back(of_payment, facts) then 'refunded'
    when of_state in ('failed', 'expired', 'under_review') then of_state
    when of_state not in ('partially_paid', 'paid', 'overpaid', 'paid_late') then 'pending'
    when jsonb_typeof(facts -> 'accepted') = 'object'
      and not exists (select 1 from jsonb_array_elements_text(facts #> '{accepted,of}') taken(id)
        where facts #>> array['deposits', taken.id, 'status'] = 'refunded') then 'accepted'
    when of_state = 'partially_paid' then 'part_paid'
    else 'paid' end
$$;

-- The stage of the payment that counts for a request. Volatile, so that it reads what was committed while its caller waited for a lock; in
-- PL/pgSQL, which keeps the plan.
create or replace function request_payment_stage(request uuid) returns text language plpgsql volatile as $$
begin
  return coalesce((
    select payment_stage(p.id, p.state, p.ledger) from payments p
    where p.submission_id = request and (p.payment_url is not null or p.state <> 'awaiting')
    order by p.state in ('partially_paid', 'paid', 'overpaid', 'paid_late') desc, p.is_current desc, p.created_at desc, p.id
    limit 1), 'pending');
end $$;

alter table token_creation_submissions add column if not exists payment_stage text;
alter table token_creation_submissions alter column payment_stage set default 'pending';

create or replace function show_payment_stage() returns trigger language plpgsql as $$
declare
  stage text;
begin
  -- All that changes payments holds this lock; it is taken here, too, for what does not.
  perform 1 from token_creation_submissions where id = new.submission_id for no key update;
  stage := request_payment_stage(new.submission_id);
  update token_creation_submissions set payment_stage = stage
    where id = new.submission_id and payment_stage is distinct from stage;
  return null;
end $$;

create or replace trigger payments_show_stage after insert on payments for each row
  when (new.payment_url is not null or new.state <> 'awaiting') execute function show_payment_stage();
create or replace trigger payments_show_changed_stage after update of state, ledger, is_current, payment_url on payments for each row
  when ((old.state, old.is_current, old.payment_url, old.ledger) is distinct from (new.state, new.is_current, new.payment_url, new.ledger))
  execute function show_payment_stage();
create or replace trigger refunds_show_stage after insert on refund_cases for each row
  when (new.state = 'sent') execute function show_payment_stage();
create or replace trigger refunds_show_changed_stage after update on refund_cases for each row
  when (new.state = 'sent' or old.state = 'sent') execute function show_payment_stage();

-- In the order of the list; the id makes its pages unambiguous. Before the batches, which find by it what is still to be filled.
create index concurrently if not exists token_creation_submissions_by_payment_stage
  on token_creation_submissions (payment_stage, created_at, id);

-- Batch
update token_creation_submissions t set payment_stage = request_payment_stage(t.id)
  where t.id in (select s.id from token_creation_submissions s where s.payment_stage is null limit 1000);

alter table token_creation_submissions drop constraint if exists token_creation_submissions_payment_stage;
alter table token_creation_submissions add constraint token_creation_submissions_payment_stage
  check (payment_stage in ('pending', 'under_review', 'part_paid', 'paid', 'accepted', 'failed', 'expired', 'refunded')) not valid;
alter table token_creation_submissions validate constraint token_creation_submissions_payment_stage;
-- For the next statement, which then does not read the table under a lock.
alter table token_creation_submissions drop constraint if exists token_creation_submissions_payment_stage_filled;
alter table token_creation_submissions add constraint token_creation_submissions_payment_stage_filled
  check (payment_stage is not null) not valid;
alter table token_creation_submissions validate constraint token_creation_submissions_payment_stage_filled;
alter table token_creation_submissions alter column payment_stage set not null;
alter table token_creation_submissions drop constraint if exists token_creation_submissions_payment_stage_filled;
