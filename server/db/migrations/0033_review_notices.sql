-- When the payer was told that money of theirs waits for a person: it came to a payment that another one had replaced, or not
-- as agreed. Set once, with the mail.
-- Step: expand; safe while the old server still runs, which leaves it alone. Undo: drop the column.

alter table payments add column review_notice_at timestamptz;
