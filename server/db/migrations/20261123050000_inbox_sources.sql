-- Undo: the former check, after the rows of vote_cluster are gone.
-- Clusters of votes wait in the inbox as well. Without a look at every row: what the old check allowed, the new one allows too.
alter table inbox_owners drop constraint inbox_owners_source_check;
alter table inbox_owners add constraint inbox_owners_source_check
  check (source in ('payment', 'unplaced', 'request', 'creation', 'chain', 'submission', 'moderator', 'report', 'job',
    'deliverable', 'refund', 'vote_cluster'))
  not valid;
