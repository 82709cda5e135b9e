-- Votes that staff puts under review by hand, in clusters like those of the signals.
-- Step: expand; a server of before writes no such cluster, and fails to list one: it knows no name for it.
-- Mode: online
-- Undo: delete from vote_review_clusters where signal = 'by_hand'; restore the former constraint.

alter table vote_review_clusters drop constraint if exists vote_review_clusters_signal;
alter table vote_review_clusters add constraint vote_review_clusters_signal check (signal in ('network_burst',
  'network_capacity', 'lockstep', 'fresh_accounts', 'dormant_accounts', 'disposable_mail', 'shared_mailbox', 'impossible_pace',
  'regular_pace', 'by_hand')) not valid;
alter table vote_review_clusters validate constraint vote_review_clusters_signal;
