-- The current proofs of ownership of a member, for their profile.
-- Step: expand; safe while the old server still runs: it is an index.
-- Mode: online
-- Undo: drop index ownership_proofs_by_member.

create index concurrently if not exists ownership_proofs_by_member on ownership_proofs (started_by, proven_at desc)
  where state = 'valid';
