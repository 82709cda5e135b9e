/**
 * Records for every list of the back office, `rows` of each kind: the same words at the same positions, so that
 * searches of all lists are comparable. Half of the requests are open, and one in a hundred is in the trash.
 */
export const adminRecords = (rows: number, words: { common: string; medium: string; rare: string }): string[] => [
  `create function pg_temp.words_of(n int) returns text language sql immutable as
   $$ select case when n % 2 = 0 then ' ${words.common}' else '' end
     || case when n % 100 = 0 then ' ${words.medium}' else '' end
     || case when n % ${rows / 20} = 1 then ' ${words.rare}' else '' end $$`,
  `create function pg_temp.trashed(n int) returns timestamptz language sql stable as
   $$ select case when n % 100 = 50 then now() - interval '1 day' end $$`,

  `insert into admin_profiles (id) values (pg_temp.uid('user', 0))`,
  // Some names of members contain the words that the searches look for.
  `update forum_users f set username = m.n || pg_temp.words_of(m.n) || md5(m.n::text)
   from (select pg_temp.uid('user', n) as id, n from generate_series(0, ${rows - 1}) n) m where f.id = m.id`,
  `update user_roles r set requested_at = now() - m.n * interval '1 minute',
     moderator_request_status = (array['pending', 'approved', 'rejected'])[m.n % 3 + 1],
     role = case when m.n % 100 = 1 then 'moderator' else 'user' end
   from (select pg_temp.uid('user', n) as id, n from generate_series(0, ${rows - 1}) n) m where r.user_id = m.id`,
  `update users set confirmed_at = null where email like '%7@%'`,
  `update users set banned_until = 'infinity' where email like '%99@%'`,

  `update projects p set token_name = p.token_name || pg_temp.words_of(p.holders_count),
     order_index = case when p.holders_count < 50 then p.holders_count + 1 else 999 end,
     status = case when p.holders_count < 50 then 'published_home'
       else (array['pending', 'approved', 'rejected'])[p.holders_count % 3 + 1] end,
     deleted_at = pg_temp.trashed(p.holders_count)`,
  `insert into voting_candidates (id, token_name, token_symbol, token_slug, description, description_full, order_index,
     total_votes, is_active, created_at, deleted_at)
   select pg_temp.uid('choice', n), 'Choice ' || n || pg_temp.words_of(n), 'H' || n, 'choice-' || n, 'One line about it.',
     repeat('A longer text, as its page shows it. ', 12), n, n * 7919 % 5000, n % 2 = 0, now() - n * interval '1 minute',
     pg_temp.trashed(n)
   from generate_series(0, ${rows - 1}) n`,
  `insert into voting_rounds (id, number, status, opens_at, closes_at, closed_at, winner_candidate_id, winner_votes)
   select pg_temp.uid('round', n), n + 2, 'closed', now() - (n + 1) * interval '1 hour', now() - n * interval '1 hour',
     now() - n * interval '1 hour', pg_temp.uid('choice', n), n + 1
   from generate_series(0, ${rows - 1}) n`,
  `insert into next_projects (id, token_name, token_symbol, token_address, description, description_full, status,
     voting_round_id, order_index, created_at, deleted_at, launch_date)
   select pg_temp.uid('next', n), 'Next ' || n || pg_temp.words_of(n), 'N' || n, 'address-of-next-' || n,
     'One line about it.', repeat('A longer text, as its page shows it. ', 12),
     (array['pending', 'published', 'launched'])[n % 3 + 1], pg_temp.uid('round', n), n,
     now() - n * interval '1 minute', pg_temp.trashed(n), now() + n * interval '1 minute'
   from generate_series(0, ${rows - 1}) n`,
  `insert into news (id, title, content, author_name, is_active, published_at, created_at, deleted_at)
   select pg_temp.uid('news', n), 'News ' || n, repeat('What was new, and what became of it. ', 30) || pg_temp.words_of(n),
     'Author ' || n % 50, n % 2 = 0, case when n % 2 = 0 then now() - n * interval '1 minute' end,
     now() - n * interval '1 minute', pg_temp.trashed(n)
   from generate_series(0, ${rows - 1}) n`,
  `insert into blockchain_networks (id, key, name, symbol, created_at)
   select pg_temp.uid('network', n), 'network-' || n, 'Network ' || n || pg_temp.words_of(n), 'W' || n,
     now() - n * interval '1 minute'
   from generate_series(0, ${rows - 1}) n`,
  `insert into project_submissions (id, reference, submitter_name, submitter_email, status, project_data, created_at)
   select pg_temp.uid('publication', n), 'PR-' || lpad(n::text, 10, '0'), 'Somebody ' || n, 'somebody' || n || '@bench.example',
     (array['new', 'reviewed', 'approved', 'rejected'])[n % 4 + 1],
     jsonb_build_object('projectName', 'Project ' || n || pg_temp.words_of(n), 'symbol', 'P' || n, 'address',
       'address-of-' || n, 'description', repeat('A long description. ', 20)), now() - n * interval '1 minute'
   from generate_series(0, ${rows - 1}) n`,
  `insert into token_creation_submissions (id, membership_type, token_data, status, payment_status, owner_wallet_address,
     petitioner_email, petitioner_telegram, selected_network, plan_price_usd, edit_secret_hash, created_at, updated_at)
   select pg_temp.uid('request', n), (array['entry', 'basic', 'standard', 'complete'])[n % 4 + 1],
     jsonb_build_object('tokenName', 'Token ' || n || pg_temp.words_of(n), 'tokenSymbol', 'T' || n, 'description',
       repeat('A long description. ', 20)), (array['incomplete', 'pending_payment', 'completed'])[n % 3 + 1],
     case when n % 3 = 2 then 'completed' else 'pending' end, 'wallet-of-' || n, 'payer' || n || '@bench.example',
     '@payer' || n, 'solana', 50 + n % 4 * 100, sha256(int4send(n)), now() - n * interval '1 minute',
     now() - n * interval '1 minute'
   from generate_series(0, ${rows - 1}) n`,
  `insert into payments (id, submission_id, order_id, plan, price_usd, locale, simulation, payment_url, ledger, state,
     attention, expires_at, created_at, updated_at)
   select pg_temp.uid('payment', n), pg_temp.uid('request', n), 'FL-' || lpad(n::text, 10, '0'), 'entry', 50, 'es', false,
     'https://pay.example/' || n, '{"deposits": {}}', (array['awaiting', 'confirming', 'paid'])[n % 3 + 1],
     case when n % 10 = 0 then array['late'] else '{}' end, now() + interval '1 day', now() - n * interval '1 minute',
     now() - n * interval '1 minute'
   from generate_series(0, ${rows - 1}) n`,
  `insert into forum_reports (post_id, reporter_id, reason, created_at, text_created_at)
   select p.id, pg_temp.uid('user', n), 'spam', now() - n * interval '1 minute', p.created_at
   from generate_series(0, ${rows / 10 - 1}) n join forum_posts p on p.id = pg_temp.uid('post', n)`,
  // Without the hash chain: nothing here reads it.
  `insert into audit_events (id, at, actor_id, actor_role, action, resource_type, resource_id, after, prev_hash, hash)
   select nextval('audit_events_id'), now() - (${rows} - n) * interval '1 minute', pg_temp.uid('user', n % 1000), 'user',
     (array['post.created', 'comment.created', 'session.opened', 'project.updated'])[n % 4 + 1],
     (array['post', 'comment', 'session', 'project'])[n % 4 + 1], pg_temp.uid('post', n)::text,
     jsonb_build_object('title', 'Post ' || n), sha256(int4send(n)), sha256(int4send(n + 1))
   from generate_series(0, ${rows - 1}) n`,
];
