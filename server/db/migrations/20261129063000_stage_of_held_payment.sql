-- Where a request was paid twice and the team sent one payment back, the stage was that of the one that is current: a request with its
-- price in full left the work of the team as refunded. The payment whose money is held counts.
-- Step: expand; safe while the old server still runs: it reads the column only, which triggers keep with this function.
-- Mode: online
-- Undo: the function as in migration 20261129023500.

create or replace function request_payment_stage(request uuid) returns text language plpgsql volatile as $$
begin
  return coalesce((
    select payment_stage(p.id, p.state, p.ledger) from payments p
    where p.submission_id = request and (p.payment_url is not null or p.state <> 'awaiting')
    order by p.state in ('partially_paid', 'paid', 'overpaid', 'paid_late') desc, payment_sent_back(p.id, p.ledger),
      p.is_current desc, p.created_at desc, p.id
    limit 1), 'pending');
end $$;

-- Batch
update token_creation_submissions t set payment_stage = request_payment_stage(t.id)
  where t.id in (select s.id from token_creation_submissions s
    where s.id in (select r.submission_id from refund_cases r where r.state = 'sent')
      and s.payment_stage <> request_payment_stage(s.id) limit 1000);
