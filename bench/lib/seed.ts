import path from 'node:path';
import pg from 'pg';
import { openPool } from '#server/db/client.ts';
import { migrate, readMigrations } from '#server/db/migrate.ts';

export interface Size {
  projects: number;
  candidates: number;
  votes: number;
  members: number;
}

/** How many projects have a place of their own; the others share place 999. */
const PLACED = 50;

/**
 * Makes the schema and fills it with whole statements. Ids look random, as real ones do, and follow from their number.
 * Triggers and references are off: profiles and roles are written here, and a million votes need not be checked one by
 * one. Candidate i gets (i + 1/2) shares of the votes, so that totals differ; all votes are of days before today.
 */
export async function seed(config: pg.ClientConfig, size: Size): Promise<void> {
  const pool = openPool({ ...config, max: 1, query_timeout: 120_000 });
  try {
    await migrate(pool, readMigrations(path.resolve('server/db/migrations')));
  } finally {
    await pool.end();
  }
  const client = new pg.Client(config);
  await client.connect();
  try {
    await client.query('begin');
    for (const statement of statements(size)) await client.query(statement);
    await client.query('commit');
    await client.query('vacuum (analyze)');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

const statements = ({ projects, candidates, votes, members }: Size) => [
  'set local session_replication_role = replica',
  `create function pg_temp.uid(kind text, n int) returns uuid language sql immutable as
   $$ select overlay(overlay(md5(kind || n) placing '4' from 13) placing '8' from 17)::uuid $$`,

  `insert into users (id, name, email, email_verified, username, confirmed_at, created_at)
   select pg_temp.uid('user', n), 'Member ' || n, 'member' || n || '@bench.example', true, 'member' || n, now(),
          now() - interval '40 days' from generate_series(0, ${members - 1}) n`,
  `insert into forum_users (id, username, wallet_address, new_auth_user_id)
   select id, username, 'user_' || id, id from users`,
  'insert into user_roles (user_id) select id from users',
  `insert into sessions (id, user_id, token, expires_at)
   select pg_temp.uid('session', n), pg_temp.uid('user', n), ${TOKEN_SQL('n')}, now() + interval '7 days'
   from generate_series(0, ${members - 1}) n`,

  `insert into projects (id, token_name, token_symbol, token_slug, token_address, description, description_full,
     holders_count, market_cap, progress_percentage, status, order_index, created_at)
   select pg_temp.uid('project', n), 'Project ' || n, 'P' || n, 'project-' || n, 'address-of-project-' || n,
     'One line about what project number ' || n || ' wants to be for its holders.',
     repeat('A longer text about the project, as its page shows it. ', 12),
     n, '$' || n || '.5k', n % 101, case when n < ${PLACED} then 'published_home' else 'approved' end,
     case when n < ${PLACED} then n + 1 else 999 end, now() - interval '1 day' - n * interval '1 minute'
   from generate_series(0, ${projects - 1}) n`,

  `insert into voting_candidates (id, token_name, token_symbol, token_slug, description, order_index, created_at, price,
     market_cap, holders_count)
   select pg_temp.uid('candidate', n), 'Candidate ' || n, 'C' || n, 'candidate-' || n,
     'One line about what candidate number ' || n || ' wants to be.', n, now() - interval '40 days', 0.01 * n, 1000 * n, n
   from generate_series(0, ${candidates - 1}) n`,
  `insert into votes (candidate_id, user_id, voted_on, created_at)
   select pg_temp.uid('candidate', c), pg_temp.uid('user', (c * 37 + k) % ${members}), today - 1 - k % 25,
          now() - (1 + k % 25) * interval '1 day'
   from (select (now() at time zone 'UTC')::date as today) d, generate_series(0, ${candidates - 1}) c,
     generate_series(0, ((c + 0.5) * ${(votes * 2) / candidates ** 2})::int - 1) k`,
  `insert into candidate_daily_votes (candidate_id, day, votes)
   select candidate_id, voted_on, count(*) from votes group by candidate_id, voted_on`,
  `update voting_candidates c set total_votes = v.n, total_reached_at = v.at
   from (select candidate_id, count(*) as n, max(created_at) as at from votes group by candidate_id) v
   where v.candidate_id = c.id`,
];

const TOKEN_SQL = (n: string) => `'bench' || lpad(${n}::text, 27, '0')`;

/** Session token of member n. */
export const tokenOf = (n: number): string => `bench${String(n).padStart(27, '0')}`;
