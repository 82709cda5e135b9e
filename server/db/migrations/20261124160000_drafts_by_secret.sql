-- The secret of a draft comes from whoever begins it: the same one twice, as after an answer that got lost, is one draft.
-- Step: expand; safe while the old server still runs: it makes a new secret for each.
-- Mode: online
-- Undo: drop index token_requests_secret.

-- Rows without a hash of a secret are opened by their member alone.
create unique index concurrently if not exists token_requests_secret on token_creation_submissions (edit_secret_hash)
  where octet_length(edit_secret_hash) = 32;
