-- Orders and publication requests: callbacks find their payment by an index; a publication request that is sent twice counts
-- once; images of guests who ask for a publication.
-- Step: expand; safe while the old server still runs. Undo: drop what is added here.

-- Callbacks name deposits; without it each of them reads every payment.
create index payments_deposits on payments using gin ((ledger -> 'deposits'));
create index payment_events_webhooks on payment_events (payment_id) where kind = 'webhook';

-- Made by the form that sends it, so that sending again after a lost answer brings the same receipt.
alter table project_submissions add column attempt uuid unique;
alter table project_submissions add column locale text not null default 'es' check (locale in ('es', 'en'));
create index project_submissions_applicant on project_submissions (lower(submitter_email));

-- SHA-256 of the random key of a guest's form; whoever has the key may use and remove the image.
alter table media add column owner_claim bytea check (octet_length(owner_claim) = 32);
create index media_owner_claim on media (owner_claim) where owner_claim is not null;
