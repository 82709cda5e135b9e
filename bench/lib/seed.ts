import { createHash } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { openPool } from '#server/db/client.ts';
import { migrate, readMigrations } from '#server/db/migrate.ts';
import { adminRecords } from './seed-admin.ts';

export interface Size {
  projects: number;
  candidates: number;
  votes: number;
  members: number;
  /** Days over which the votes are spread; 25 by default. */
  days?: number;
  /** Posts of the forum, and how many comments and how many reactions each of them has on average. */
  posts?: number;
  /** True to insert as many records of every list of the back office as there are projects. */
  adminRecords?: true;
}

/** Of each kind, for one post. */
const ANSWERS = 5;
/** The post that one comment in twenty belongs to. */
export const BUSY_POST = 77;
/** Words of the posts: in every second one, in one of a hundred, in twenty of any number; and in ten comments. */
export const WORDS = { common: 'lanzamiento', medium: 'ajolote', rare: 'xilofono', inComments: 'tecolote' };

/** Number of projects with a position of their own; the others share position 999. */
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
    // Trigram indexes are made afterwards, which is many times faster than word by word.
    const { rows: parts } = await client.query<{ name: string; made: string }>(
      `select indexname as name, indexdef as made from pg_indexes where indexdef like '%gin_trgm_ops%'`,
    );
    for (const { name } of parts) await client.query(`drop index ${name}`);
    for (const statement of statements(size)) await client.query(statement);
    for (const { made } of parts) await client.query(made);
    // The triggers were off.
    await client.query('select recount_counters()');
    await client.query('commit');
    await client.query('vacuum (analyze)');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

const statements = ({ projects, candidates, votes, members, posts, adminRecords: full, days = 25 }: Size) => [
  'set local session_replication_role = replica',
  `create function pg_temp.uid(kind text, n int) returns uuid language sql immutable as
   $$ select overlay(overlay(md5(kind || n) placing '4' from 13) placing '8' from 17)::uuid $$`,

  `insert into users (id, name, email, email_verified, username, confirmed_at, created_at)
   select pg_temp.uid('user', n), 'Member ' || n, 'member' || n || '@bench.example', true, 'member' || n, now(),
          now() - interval '40 days' from generate_series(0, ${members - 1}) n`,
  `insert into forum_users (id, username, name_key, wallet_address, new_auth_user_id)
   select id, username, florka_name_key(username), 'user_' || id, id from users`,
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
   select pg_temp.uid('candidate', c), pg_temp.uid('user', (c * 37 + k) % ${members}), today - 1 - k % ${days},
          now() - (1 + k % ${days}) * interval '1 day'
   from (select (now() at time zone 'UTC')::date as today) d, generate_series(0, ${candidates - 1}) c,
     generate_series(0, ((c + 0.5) * ${(votes * 2) / candidates ** 2})::int - 1) k`,
  `insert into candidate_daily_votes (candidate_id, day, votes)
   select candidate_id, voted_on, count(*) from votes group by candidate_id, voted_on`,
  `update voting_candidates c set total_votes = v.n, total_reached_at = v.at
   from (select candidate_id, count(*) as n, max(created_at) as at from votes group by candidate_id) v
   where v.candidate_id = c.id`,
  ...(posts ? forum(posts, members) : []),
  ...(full ? adminRecords(projects, WORDS) : []),
];

/** The indexes of the search are made afterwards, which is many times faster than word by word. */
const forum = (posts: number, members: number) => [
  `create function pg_temp.word(n int) returns text language sql immutable as
   $$ select 'palabra' || (sqrt(hashint4(n) & 268435455) / 8)::int $$`,
  `create function pg_temp.words(first int, many int) returns text language sql immutable as
   $$ select string_agg(pg_temp.word(n), ' ') from generate_series(first, first + many - 1) n $$`,
  'drop index forum_posts_search, forum_comments_search',
  `insert into forum_posts (id, title, content, forum_user_id, created_at, comment_count)
   select pg_temp.uid('post', n), 'Post ' || n || ' ' || pg_temp.words(n * 41, 5),
     pg_temp.words(n * 37, 25) || case when n % 2 = 0 then ' ${WORDS.common}' else '' end
       || case when n % 100 = 0 then ' ${WORDS.medium}' else '' end
       || case when n % ${posts / 20} = 1 then ' ${WORDS.rare}' else '' end,
     pg_temp.uid('user', n % ${members}), now() - interval '1 hour' - n * interval '1 minute', 0
   from generate_series(0, ${posts - 1}) n`,
  `insert into forum_comments (id, post_id, user_id, content, created_at, post_created_at)
   select pg_temp.uid('comment', n), pg_temp.uid('post', post),
     pg_temp.uid('user', (n * 7) % ${members}),
     pg_temp.words(n * 11, 8) || case when n % 2 = 0 then ' ${WORDS.common}' else '' end
       || case when n % ${(posts * ANSWERS) / 10} = 1 then ' ${WORDS.inComments}' else '' end,
     now() - interval '50 minutes' + n * interval '1 microsecond', now() - interval '1 hour' - post * interval '1 minute'
   from (select n, case when n % 20 = 0 then ${BUSY_POST} else n % ${posts} end as post
     from generate_series(0, ${posts * ANSWERS - 1}) n) c`,
  `update forum_posts p set comment_count = c.n
   from (select post_id, count(*)::int as n from forum_comments group by post_id) c where c.post_id = p.id`,
  `insert into post_reactions (post_id, user_id, emoji_type)
   select pg_temp.uid('post', n % ${posts}), pg_temp.uid('user', (n * 13 + n / ${posts}) % ${members}),
     (array['like', 'love', 'laugh', 'wow', 'sad', 'angry'])[n / ${posts} + 1]
   from generate_series(0, ${posts * ANSWERS - 1}) n`,
  `insert into post_reaction_counts (post_id, emoji_type, reactions)
   select post_id, emoji_type, count(*) from post_reactions group by post_id, emoji_type`,
  'create index forum_posts_search on forum_posts using gin (search)',
  'create index forum_comments_search on forum_comments using gin (search)',
];

const TOKEN_SQL = (n: string) => `'bench' || lpad(${n}::text, 27, '0')`;

/** Id of the nth row of a kind, as `uid` in the statements makes it. */
export function idOf(kind: 'user' | 'post', n: number): string {
  const hex = createHash('md5').update(`${kind}${n}`).digest('hex');
  const uuid = `${hex.slice(0, 12)}4${hex.slice(13, 16)}8${hex.slice(17)}`;
  return uuid.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Session token of member n. */
export const tokenOf = (n: number): string => `bench${String(n).padStart(27, '0')}`;
