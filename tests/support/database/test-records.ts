import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Role } from '#contract/domains/auth.ts';
import type { StaffRole } from '#contract/staff.ts';
import { sessionCookieName } from '#server/domains/auth/sessions/session-cookie.ts';
import type { Person } from '#tests/support/app/test-browser.ts';

export type Row = Record<string, unknown>;
/** One statement on the test's database. */
export type Sql = <T extends Row = Row>(text: string, values?: unknown[]) => Promise<T[]>;

export interface NewMember {
  role?: Role;
  /** Staff roles of an admin; an owner's by default. */
  staffRoles?: StaffRole[];
  email?: string;
  verified?: boolean;
}

/** Better Auth's signed cookie; auth.test.ts compares it with one of a real sign-in. */
export function signSession(token: string, secret: string, name = sessionCookieName('http:')): string {
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  return `${name}=${encodeURIComponent(`${token}.${signature}`)}`;
}

let serial = 0;
const unique = () => `${(++serial).toString(36)}${randomBytes(3).toString('hex')}`;

export async function insertRow(sql: Sql, table: string, row: Row): Promise<{ id: string } & Row> {
  const columns = Object.keys(row);
  const places = columns.map((_, i) => `$${i + 1}`);
  const [made] = await sql<{ id: string } & Row>(
    `insert into ${table} (${columns}) values (${places}) returning *`,
    Object.values(row),
  );
  if (!made) throw new Error(`nothing inserted into ${table}`);
  return made;
}

/** Inserts accounts with a profile (by the trigger) and a session each, in two statements. */
export async function insertMembers(
  sql: Sql,
  { secret, now }: { secret: string; now: Date },
  count: number,
  over: NewMember = {},
) {
  const made = Array.from({ length: count }, () => {
    const name = `m${unique()}`;
    const sessionToken = randomBytes(24).toString('base64url');
    return {
      id: randomUUID() as string,
      email: over.email ?? `${name}@florka.test`,
      username: name,
      sessionToken,
      cookie: signSession(sessionToken, secret),
    } satisfies Person;
  });
  const column = (key: keyof Person) => made.map((person) => person[key]);
  await sql(
    `insert into users (id, name, email, username, email_verified)
     select id, name, email, name, $4 from unnest($1::uuid[], $2::text[], $3::text[]) as t (id, name, email)`,
    [column('id'), column('username'), column('email'), over.verified ?? false],
  );
  if (over.role && over.role !== 'user')
    await sql('update user_roles set role = $2 where user_id = any($1)', [column('id'), over.role]);
  if (over.role === 'admin')
    await sql('insert into admin_profiles (id, staff_roles) select unnest($1::uuid[]), $2', [
      column('id'),
      over.staffRoles ?? ['owner'],
    ]);
  // After the role: a session that is older than its member's rights counts as unproven.
  await sql(
    `insert into sessions (user_id, token, expires_at, updated_at)
     select id, token, now() + interval '7 days', $3 from unnest($1::uuid[], $2::text[]) as t (id, token)`,
    [column('id'), column('sessionToken'), now],
  );
  return made;
}

/** Inserts a network as reported by a signer: ready, and without real money, by default. */
export async function insertSignerWorker(sql: Sql, network: string, over: Row = {}): Promise<void> {
  const row: Row = {
    network,
    state: 'ready',
    chain_id: '31337',
    production: false,
    deployer: `deployer-${network}`,
    balance: '1',
    coin: 'ETH',
    cost: '0.001',
    enough_for: 1_000,
    daily_cap: 1_000,
    used_today: 0,
    used_on: new Date(),
    started_at: new Date(),
    seen_at: new Date(),
    ...over,
  };
  await sql('delete from signer_workers where network = $1', [network]);
  await insertRow(sql, 'signer_workers', row);
}

/** Functions that insert candidates and projects with unique names. */
export function recordFactories(sql: Sql) {
  return {
    candidate: (over: Row = {}) => {
      const key = unique();
      return insertRow(sql, 'voting_candidates', {
        token_name: `Candidate ${key}`,
        token_symbol: 'CAND',
        token_slug: `candidate-${key}`,
        ...over,
      });
    },
    project: (over: Row = {}) => {
      const key = unique();
      return insertRow(sql, 'projects', {
        token_name: `Project ${key}`,
        token_symbol: 'PROJ',
        token_slug: `project-${key}`,
        token_address: `address-of-${key}`,
        status: 'approved',
        ...over,
      });
    },
    nextProject: (over: Row = {}) =>
      insertRow(sql, 'next_projects', { token_name: `Next ${unique()}`, token_symbol: 'NEXT', ...over }),
  };
}
