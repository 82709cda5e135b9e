import { createHmac, randomUUID } from 'node:crypto';
import path from 'node:path';
import type pg from 'pg';
import { openPool } from '#server/db/client.ts';
import { readMigrations } from '#server/db/migrate.ts';
import { prepareDatabase } from '#server/prepare.ts';
import type { Cluster } from './cluster.ts';
import { APP, OWNER } from './cluster.ts';

const MEMBERS = 3_000;
/** Members who withdraw their vote or are banned; the others only vote. */
const SUSPECTS = 1_000;
const CANDIDATES = 20;
const POSTS = 20;

/** Content of the database before the load begins. */
export interface SeedData {
  members: { id: string; token: string }[];
  /** Members whose votes change after they were cast. */
  suspects: { id: string; token: string }[];
  adminToken: string;
  candidates: string[];
  posts: string[];
}

/** The session cookie as the site signs it. */
export function cookieOf(token: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  return `florka.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
}

/** Creates a database with members, candidates and posts; the others are copies of it. */
export async function makeTemplate(cluster: Cluster, name: string): Promise<SeedData> {
  await cluster.run('postgres', [`create database ${name} owner ${OWNER} encoding 'UTF8' template template0`]);
  const as = (user: string) => ({ ...cluster.config(name), user });
  await prepareDatabase({ config: as(APP), owner: as(OWNER) }, readMigrations(path.resolve('server/db/migrations')));
  const pool = openPool({ ...as(OWNER), max: 2, work: 'maintenance' });
  try {
    return await fill(pool);
  } finally {
    await pool.end();
  }
}

async function fill(pool: pg.Pool): Promise<SeedData> {
  const made = (length: number) => Array.from({ length }, () => ({ id: randomUUID(), token: randomUUID() }));
  const [members, suspects] = [made(MEMBERS), made(SUSPECTS)];
  const admin = { id: randomUUID(), token: randomUUID() };
  const people = [...members, ...suspects, admin];
  const column = (key: 'id' | 'token') => people.map((one) => one[key]);
  await pool.query(
    `insert into users (id, name, email, username, email_verified, created_at)
     select id, 'm' || n, 'm' || n || '@faults.example', 'm' || n, true, now() - interval '60 days'
     from unnest($1::uuid[]) with ordinality as t (id, n)`,
    [column('id')],
  );
  await pool.query(
    `insert into sessions (user_id, token, expires_at, updated_at)
     select id, token, now() + interval '20 days', now() from unnest($1::uuid[], $2::text[]) as t (id, token)`,
    [column('id'), column('token')],
  );
  await pool.query("update user_roles set role = 'admin' where user_id = $1", [admin.id]);
  await pool.query('insert into admin_profiles (id) values ($1)', [admin.id]);
  // A ban needs a step-up, and a run takes longer than its validity.
  await pool.query("update sessions set proved_at = now() + interval '1 day' where user_id = $1", [admin.id]);
  // The authors of the posts get a mail for each comment.
  await pool.query(
    `insert into notification_settings (user_id, kind, in_app, mail, push)
     select id, 'replies', true, 'now', false from users`,
  );
  // No signer runs here, so orders need a network with delivery by hand.
  await pool.query('update blockchain_networks set manual_days = 7');
  const idsOf = async (text: string, values: unknown[]) =>
    (await pool.query<{ id: string }>(text, values)).rows.map(({ id }) => id);
  const candidates = await idsOf(
    `insert into voting_candidates (token_name, token_symbol, token_slug)
     select 'Candidate ' || n, 'C' || n, 'candidate-' || n from generate_series(1, $1) n returning id`,
    [CANDIDATES],
  );
  const posts = await idsOf(
    `insert into forum_posts (title, content, forum_user_id)
     select 'Post ' || n, 'Words of post ' || n, (select id from forum_users limit 1) from generate_series(1, $1) n returning id`,
    [POSTS],
  );
  return { members, suspects, adminToken: admin.token, candidates, posts };
}
