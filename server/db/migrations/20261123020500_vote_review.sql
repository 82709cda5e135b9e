-- Votes that signals put under review, in clusters that an admin releases or voids. A decision can be undone exactly: each vote
-- keeps what it was decided as.
-- Step: expand; safe while the old server still runs. Undo: drop table vote_review_votes, vote_review_clusters;

create table vote_review_clusters (
  id uuid primary key default gen_random_uuid(),
  round_id uuid not null references voting_rounds (id) on delete cascade,
  signal text not null,
  -- What its votes have in common; a later finding with this key joins the open cluster.
  key text not null,
  -- Null where the signal is not about one candidate.
  candidate_id uuid references voting_candidates (id) on delete cascade,
  -- What the reason in words is made of.
  facts jsonb not null default '{}',
  state text not null default 'open',
  found_at timestamptz not null,
  grown_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid references users (id) on delete set null,
  reason text,
  -- Of its votes, written whenever it grows: lists are sorted by them.
  votes integer not null default 0 check (votes >= 0),
  members integer not null default 0 check (members >= 0),
  networks integer not null default 0 check (networks >= 0),
  -- Of the accounts when they voted, the middle one. Hours.
  age_hours integer not null default 0,
  constraint vote_review_clusters_signal check (signal in ('network_burst', 'network_capacity', 'lockstep', 'fresh_accounts',
    'dormant_accounts', 'disposable_mail', 'shared_mailbox', 'impossible_pace', 'regular_pace')),
  constraint vote_review_clusters_state check (state in ('open', 'released', 'void')),
  -- Voiding takes a reason.
  constraint vote_review_clusters_reason check (state <> 'void' or coalesce(length(btrim(reason)), 0) > 0),
  constraint vote_review_clusters_decided check ((state = 'open') = (decided_at is null))
);
create unique index vote_review_clusters_open on vote_review_clusters (round_id, signal, key) where state = 'open';
create index vote_review_clusters_found on vote_review_clusters (found_at, id);
create index vote_review_clusters_candidate on vote_review_clusters (candidate_id);
create index vote_review_clusters_decided_by on vote_review_clusters (decided_by) where decided_by is not null;

-- A vote is in one cluster, that of the signal that found it first. No reference to it: votes that are withdrawn stay listed
-- nowhere else, and the table of votes may be cut into parts.
create table vote_review_votes (
  vote_id bigint primary key,
  cluster_id uuid not null references vote_review_clusters (id) on delete cascade,
  candidate_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  held_at timestamptz not null,
  -- What a decision made of it; null while it waits, and for what changed by itself meanwhile.
  decided_as text check (decided_as in ('counted', 'void'))
);
create index vote_review_votes_cluster on vote_review_votes (cluster_id, vote_id);
create index vote_review_votes_user on vote_review_votes (user_id, candidate_id);
