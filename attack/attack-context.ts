// The victim: a member whose data the run tries to read and change, and fingerprints of what must be unchanged
// afterwards.
import { type HttpClient, signUp } from './people.ts';
import { ADMIN, type Target } from './site.ts';
import type { Known } from './values.ts';

/** What all parts of the run work with. */
export interface AttackContext {
  target: Target;
  victim: HttpClient;
  /** Texts that only the victim and staff may read. */
  secrets: string[];
  known: Known;
}

/** Data of the victim that actions of others may change: notices, mails, links for a new password, counters. */
const CAUSED_BY_OTHERS =
  /^(notif|mails|rate_limits|verifications|account_tokens|audit_events|push|ledger_|vote_changes)/;
/** Tables that only staff can change. */
const STAFF_ONLY_TABLES = [
  'settings',
  'admin_users',
  'admin_profiles',
  'projects',
  'voting_rounds',
  'news',
  'next_projects',
  'site_pages',
  'blockchain_networks',
  'showcased_tokens',
];
/**
 * Whole names of fields that actions of others may change, or that a job of the site changes by the clock (`told_`).
 * The price of an order and the counts of votes that a member shows are not among them.
 */
export const CHANGING_FIELDS =
  '^(votes|votes_.*|total_votes|winner_votes|totals|.*_count|updated_at|last_.*|market.*|price|.*seen.*|version|searchable|told_.*)$';
const COUNTED = `(select coalesce(jsonb_object_agg(k, v), '{}') from jsonb_each(to_jsonb(t)) e(k, v) where k !~ '${CHANGING_FIELDS}')`;

/** Creates the victim with data of every kind. @throws Error when the site refuses that. */
export async function openAttackContext(target: Target): Promise<AttackContext> {
  const victim = await signUp(target, 'member', 'keeper');
  const decoy = await signUp(target, 'member', 'decoy');
  const must = async (method: string, path: string, body: unknown) => {
    const answer = await victim.send(method, `/api${path}`, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return JSON.parse(answer.text) as { id: string };
  };
  const post = await must('POST', '/forum/posts', { title: 'Mine alone', content: 'Words that stay' });
  await must('POST', `/forum/posts/${post.id}/comments`, { content: 'An answer that stays' });
  const contact = `contact-${process.pid}@private.test`;
  const description = `words-for-staff-${process.pid}`;
  await must('POST', '/submissions', {
    projectName: 'Kept',
    symbol: 'KEPT',
    description,
    submitterName: 'Keeper',
    submitterEmail: contact,
  });
  return {
    target,
    victim,
    secrets: [victim.email, contact, description, ADMIN.email],
    known: await readKnown(target, [decoy.email]),
  };
}

/** Ids and names of some rows of every table. */
export async function readKnown({ db }: Target, emails: readonly string[]): Promise<Known> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'id' and data_type = 'uuid'`,
  );
  const ids: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.query<{ id: string }>(`select id from "${name}" order by random() limit 4`);
    ids.push(...rows.map(({ id }) => id));
  }
  const { rows: slugs } = await db.query<{ slug: string }>('select token_slug as slug from projects limit 10');
  return { ids, emails, slugs: slugs.map(({ slug }) => slug) };
}

/** A fingerprint for each table, of the data that strangers must not change. */
export async function fingerprints({ target: { db }, victim }: AttackContext): Promise<Map<string, string>> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const prints = new Map<string, string>();
  const take = async (name: string, where: string, values: unknown[]) => {
    const { rows } = await db.query<{ print: string }>(
      `select coalesce(md5(string_agg(line, e'\\n' order by line)), 'nothing') || ' of ' || count(*) as print
       from (select ${COUNTED}::text as line from "${name}" t where ${where}) lines`,
      values,
    );
    prints.set(name, rows[0]?.print ?? '');
  };
  for (const { name } of tables) {
    if (CAUSED_BY_OTHERS.test(name)) continue;
    if (STAFF_ONLY_TABLES.includes(name)) await take(name, 'true', []);
    // Rows with the owner's id in a field of its own; rows of others may mention it in a text.
    else
      await take(
        name,
        `$1 in (to_jsonb(t) ->> 'id', to_jsonb(t) ->> 'user_id', to_jsonb(t) ->> 'auth_user_id',
        to_jsonb(t) ->> 'new_auth_user_id', to_jsonb(t) ->> 'forum_user_id', to_jsonb(t) ->> 'owner_id')`,
        [victim.id],
      );
  }
  await db
    .query<{ print: string }>(
      `select md5(string_agg(user_id || role, ',' order by user_id)) as print from user_roles
       where role <> 'user' and user_id in (select id from admin_profiles)`,
    )
    .then(({ rows }) => prints.set('roles of admins', rows[0]?.print ?? ''));
  return prints;
}

/** Staff roles of each admin, by id. */
export async function staffRolesNow({ db }: Target): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; roles: string }>(
    `select id, array_to_string(staff_roles, ' and ') as roles from admin_profiles`,
  );
  return new Map(rows.map(({ id, roles }) => [id, roles]));
}

/** The tables whose fingerprints differ. */
export const changedIn = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...before]
    .filter(([name, print]) => after.get(name) !== print)
    .map(([name, print]) => `${name}: ${print} → ${after.get(name)}`);
