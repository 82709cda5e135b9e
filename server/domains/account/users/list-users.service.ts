import { eq, sql } from 'drizzle-orm';
import type { AdminUser, UserCounts } from '#contract/admin/users.ts';
import type { Role } from '#contract/domains/auth.ts';
import type { Reader } from '#server/db/client.ts';
import { asBoolean, asMoment, asOneOf, asText, orNull } from '#server/db/expressions.ts';
import { ACTIVE_SESSION } from '#server/domains/auth/sessions/session-life.service.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { type ListQuery, listRecords, type PageRows } from '#server/records/lists.ts';
import { countMembers } from './manage.sql.ts';
import { MEMBER, memberList, membersAs, roleColumns } from './member-list.service.ts';

/** Version of a row: changes with e-mail or name, which members can also change themselves on their account page. */
const VERSION = sql`('x' || left(md5(u.email || '|' || coalesce(f.username, '')), 7))::bit(28)::int + 1`.mapWith(
  Number,
);
const ACCESS = sql`case when u.banned_until is null or u.banned_until <= now() then 'open'
  when u.banned_until = 'infinity' then 'disabled' else 'banned' end`.mapWith(asOneOf(['open', 'banned', 'disabled']));
const BANNED_UNTIL =
  sql`case when u.banned_until > now() and u.banned_until < 'infinity' then u.banned_until end`.mapWith(
    orNull(asMoment),
  );
const HAS_SECOND_FACTOR =
  sql`(exists (select 1 from second_factors s where s.user_id = u.id and s.confirmed_at is not null)
    or exists (select 1 from passkeys p where p.user_id = u.id))`.mapWith(asBoolean);
const PENDING_EMAIL = sql`(select t.email from account_tokens t where t.user_id = u.id and t.purpose = 'staff_email'
  and t.used_at is null and t.expires_at > now() order by t.created_at desc limit 1)`.mapWith(orNull(asText));
const SESSIONS =
  sql`(select count(*)::int from sessions s where s.user_id = u.id and ${sql.raw(ACTIVE_SESSION)})`.mapWith(Number);

async function readUsers(db: Reader, { where, orderBy }: PageRows): Promise<AdminUser[]> {
  const { u, f, r, a } = MEMBER;
  const rows = await db
    .select({
      id: u.id,
      version: VERSION,
      createdAt: u.createdAt,
      email: u.email,
      pendingEmail: PENDING_EMAIL,
      emailVerified: u.emailVerified,
      username: f.username,
      ...roleColumns(),
      isConfirmed: sql`u.confirmed_at is not null`.mapWith(asBoolean),
      access: ACCESS,
      bannedUntil: BANNED_UNTIL,
      hasSecondFactor: HAS_SECOND_FACTOR,
      sessions: SESSIONS,
    })
    .from(u)
    .leftJoin(f, eq(f.newAuthUserId, u.id))
    .leftJoin(r, eq(r.userId, u.id))
    .leftJoin(a, eq(a.id, u.id))
    .where(where)
    .orderBy(orderBy);
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    bannedUntil: row.bannedUntil?.toISOString() ?? null,
  }));
}

const STATES = {
  all: undefined,
  pending: sql`u.confirmed_at is null`,
  confirmed: sql`u.confirmed_at is not null`,
  banned: sql`u.banned_until > now()`,
};

/** All members. */
export function listUsers(
  db: Reader,
  input: ListQuery & { role: Role | 'all'; state: keyof typeof STATES },
): Promise<{ rows: AdminUser[]; total: number }> {
  const parts = {
    ...memberList(input, input.state === 'pending' || input.state === 'banned'),
    where: [membersAs(input.role), STATES[input.state]],
  };
  return listRecords(db, input, parts, (page) => readUsers(db, page));
}

/** The counts above the list. */
export async function countUsers(db: Reader): Promise<UserCounts> {
  const [counts] = await countMembers(db, {});
  return counts ?? fail('NOT_FOUND', { what: 'member' });
}

/** One member in the form of the list. @throws NOT_FOUND */
export async function readUser(db: Reader, id: string): Promise<AdminUser> {
  const [row] = await readUsers(db, { where: eq(MEMBER.u.id, id), orderBy: sql`u.id` });
  return row ?? fail('NOT_FOUND', { what: 'member' });
}
