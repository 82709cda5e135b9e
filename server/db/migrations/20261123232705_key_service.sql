-- A key of the signer may be kept by a service: that it does not answer, or has another key, is said of the network.
-- Step: expand; safe while the old server still runs. Undo: the former check, after no network says either.
alter table chain_lanes drop constraint if exists chain_lanes_state_check;
alter table chain_lanes add constraint chain_lanes_state_check
  check (state in ('ready', 'unreachable', 'wrong_chain', 'unsupported', 'key_unavailable', 'wrong_key', 'low_balance',
    'cap_reached'));
