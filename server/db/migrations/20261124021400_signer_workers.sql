-- What the signer reports of each network was called by a word that the code gave up (docs/glossary.md). The table is small, so its
-- new name is there at once; a view keeps the former one for the site and the signer of the version before.
-- Step: expand; safe while the old server still runs: a plain view is read and written like its table.
-- Undo: drop the view and give the table its former name.
alter table chain_lanes rename to signer_workers;
alter table signer_workers rename constraint chain_lanes_pkey to signer_workers_pkey;
alter table signer_workers rename constraint chain_lanes_network_check to signer_workers_network_check;
alter table signer_workers rename constraint chain_lanes_state_check to signer_workers_state_check;
create view chain_lanes as select * from signer_workers;
