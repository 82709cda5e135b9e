import { sql } from 'drizzle-orm';
import type { BulkOutcome } from '#contract/admin/bulk.ts';
import type { AdminUser, UserCounts } from '#contract/admin/users.ts';
import type { Role } from '#contract/auth.ts';
import { type Limit, USERNAME_MIN } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { endSessions, isTaken } from '#server/domains/auth/members.service.ts';
import { dropTokens, issueToken, tokenEnd } from '#server/domains/auth/tokens.service.ts';
import { pagePath, queueVerification } from '#server/domains/auth/verification.service.ts';
import { LIVES } from '#server/domains/auth/viewer.service.ts';
import { lockVotesOf, restoreVotesOfBanned, voidVotesOfBanned } from '#server/domains/voting/banned-votes.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { audit } from '#server/lib/audit.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { fail } from '#server/lib/fail.ts';
import { normalizeMailbox } from '#server/lib/mailbox.ts';
import { consumeRateLimits } from '#server/lib/rate-limit.ts';
import { publishChange } from '#server/live/publish.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import { forEachRecord } from '#server/records/bulk.ts';
import { iso, isoOrNull, readPage } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import { amongAdmins, mayLower } from './admins.service.ts';
import {
  type ListQuery,
  MEMBER_FROM,
  MEMBER_SORTS,
  membersAs,
  membersByName,
  membersWith,
  ROLE,
  ROLE_STATUS,
} from './manage-roles.service.ts';
import { removeMember } from './removal.service.ts';

/** What the functions here need beside the record. */
export interface ServiceContext {
  db: Db;
  jobs: JobQueue;
  by: Editor;
}
type Results = Promise<{ results: BulkOutcome[] }>;

/** Milliseconds that the link for the first password is good for. */
const FIRST_LINK = 86_400_000;

/** Changes with e-mail or name, whoever changes them: members do so themselves on their account page. */
const VERSION = sql`('x' || left(md5(u.email || '|' || coalesce(f.username, '')), 7))::bit(28)::int + 1`;
const ROW = sql`u.id, ${VERSION} as version, u.created_at as "createdAt", u.email,
  u.email_verified as "emailVerified", f.username, ${ROLE} as role, ${ROLE_STATUS} as "roleStatus",
  u.confirmed_at is not null as "isConfirmed",
  case when u.banned_until is null or u.banned_until <= now() then 'open'
    when u.banned_until = 'infinity' then 'disabled' else 'banned' end as access,
  case when u.banned_until > now() and u.banned_until < 'infinity' then u.banned_until end as "bannedUntil",
  exists (select 1 from second_factors s where s.user_id = u.id and s.confirmed_at is not null)
    or exists (select 1 from passkeys p where p.user_id = u.id) as "hasSecondFactor",
  (select count(*)::int from sessions s where s.user_id = u.id and ${sql.raw(LIVES)}) as sessions`;

const userOf = (row: AdminUser): AdminUser => ({
  ...row,
  createdAt: iso(row.createdAt),
  bannedUntil: isoOrNull(row.bannedUntil),
});

const STATES = {
  all: undefined,
  pending: sql`u.confirmed_at is null`,
  confirmed: sql`u.confirmed_at is not null`,
  banned: sql`u.banned_until > now()`,
};

/** All members. */
export async function listUsers(
  db: Reader,
  input: ListQuery & { role: Role | 'all'; state: keyof typeof STATES },
): Promise<{ rows: AdminUser[]; total: number }> {
  const { rows, total } = await readPage<AdminUser>(db, input, {
    columns: ROW,
    from: MEMBER_FROM,
    where: [membersAs(input.role), STATES[input.state]],
    sorts: MEMBER_SORTS,
    fromFilled: membersByName(input.role, input.state === 'pending' || input.state === 'banned'),
    filled: ['createdAt', 'email'],
    tie: sql`u.id`,
    id: sql`u.id`,
    searchTerms: membersWith(input.q),
  });
  return { rows: rows.map(userOf), total };
}

/** The figures above the list. */
export async function countUsers(db: Reader): Promise<UserCounts> {
  const { rows } = await db.execute<UserCounts & Record<string, unknown>>(sql`select
    (select count(*)::int from users) as total,
    (select count(*)::int from users where confirmed_at is null) as pending,
    (select count(*)::int from user_roles r where r.role = 'moderator'
       and not exists (select 1 from admin_profiles a where a.id = r.user_id)) as moderators,
    (select count(*)::int from admin_profiles) as admins`);
  return rows[0] ?? fail('NOT_FOUND', { what: 'member' });
}

async function readUser(tx: Tx, id: string): Promise<AdminUser> {
  const { rows } = await tx.execute<AdminUser & Record<string, unknown>>(
    sql`select ${ROW} ${MEMBER_FROM} where u.id = ${id}`,
  );
  return userOf(rows[0] ?? fail('NOT_FOUND', { what: 'member' }));
}

/**
 * Adds a member without a password; the mail has a link to choose one, good for a day.
 *
 * @throws DUPLICATE with the field, NOT_VALID for a name that nobody can see, RATE_LIMITED past the limit of mails to one mailbox.
 */
export async function createUser(
  { db, jobs, by }: ServiceContext,
  input: { email: string; username: string; confirmed: boolean; locale: MailLocale },
  limit: Limit,
): Promise<AdminUser> {
  const { email, confirmed, locale } = input;
  const username = input.username ? visible(input.username) : null;
  await consumeRateLimits(db, [{ key: `mail:to:${normalizeMailbox(email)}`, limit }], by.now);
  return unique(async () =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select set_config('florka.added_by_staff', 'yes', true)`);
      const at = by.now.toISOString();
      const { rows } = await tx.execute<{ id: string }>(sql`
        insert into users (name, email, username, confirmed_at, confirmed_by, created_at, updated_at)
        values (${username ?? email.split('@')[0]}, ${email}, ${username}, ${confirmed ? at : null},
          ${confirmed ? by.actor.id : null}, ${at}, ${at}) returning id`);
      const id = rows[0]?.id ?? '';
      const token = await issueToken(tx, 'reset_password', {
        userId: id,
        email,
        locale,
        life: FIRST_LINK,
        now: by.now,
      });
      const data = { path: pagePath(locale, 'reset', token), until: tokenEnd('reset_password', by.now, FIRST_LINK) };
      await queueMail(tx, jobs, { to: email, locale, template: 'accountCreated', data });
      const made = await readUser(tx, id);
      await audit(tx, by.actor, {
        action: 'member.created',
        resourceType: 'member',
        resourceId: id,
        after: { username: made.username, confirmed },
      });
      return made;
    }),
  );
}

/**
 * Changes name or e-mail. A new mailbox has to be proven by its owner: until then the account counts as unproven, its
 * sessions and pending links end, and both mailboxes are notified of it.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT, DUPLICATE, NOT_VALID, RATE_LIMITED
 */
export async function updateUser(
  { db, jobs, by }: ServiceContext,
  input: { id: string; version: number; email: string; username: string; locale: MailLocale },
  limit: Limit,
): Promise<AdminUser> {
  const { id, email, locale } = input;
  const username = visible(input.username);
  await consumeRateLimits(db, [{ key: `mail:to:${normalizeMailbox(email)}`, limit }], by.now);
  return unique(() =>
    db.transaction(async (tx) => {
      await lockUser(tx, id);
      // A name is changed by its owner without the member's row: hold it too.
      await tx.execute(sql`select 1 from forum_users where new_auth_user_id = ${id} for no key update`);
      const old = await readUser(tx, id);
      if (old.version !== input.version) await conflict(tx, old);
      const moves = old.email !== email;
      if (!moves && old.username === username) return old;
      if (old.username !== username) {
        await tx.execute(sql`
          insert into forum_users (id, username, wallet_address, new_auth_user_id)
          values (${id}, ${username}, ${`user_${id}`}, ${id})
          on conflict (new_auth_user_id) do update set username = excluded.username`);
        await publishChange(tx, 'forum');
        await publishChange(tx, 'presence');
      }
      if (moves) {
        await tx.execute(sql`update users set email = ${email}, email_verified = false, updated_at = ${by.now.toISOString()}
          where id = ${id}`);
        await endSessions(tx, id);
        await dropTokens(tx, id);
        if (old.emailVerified)
          await queueMail(tx, jobs, { to: old.email, locale, template: 'emailChanged', data: { to: email } });
        await queueVerification(tx, jobs, { id, email, emailVerified: false }, locale, by.now);
      }
      const row = await readUser(tx, id);
      // E-mails stay out of the log, which is never emptied.
      await audit(tx, by.actor, {
        action: 'member.updated',
        resourceType: 'member',
        resourceId: id,
        before: { username: old.username },
        after: { username: row.username, ...(moves ? { emailChanged: true } : {}) },
      });
      return row;
    }),
  );
}

/** Approves members; says nothing about who owns the mailbox. */
export const confirmUsers = ({ db, by }: ServiceContext, ids: string[]): Results =>
  forEachRecord(ids, (id) =>
    db.transaction(async (tx) => {
      await lockUser(tx, id);
      const { rowCount } = await tx.execute(sql`
        update users set confirmed_at = ${by.now.toISOString()}, confirmed_by = ${by.actor.id}
        where id = ${id} and confirmed_at is null`);
      if (!rowCount) return 'unchanged';
      await audit(tx, by.actor, { action: 'member.confirmed', resourceType: 'member', resourceId: id });
      return 'done' as const;
    }),
  );

/**
 * Closes accounts for some days, or until they are opened again; their sessions and links end. Rights stay with the
 * account, but count for nothing meanwhile. Their votes of the open round are void until the account is open again, by hand or
 * when the days are over (`finishEndedBans`).
 */
export const banUsers = (
  { db, by }: ServiceContext,
  { ids, days, reason }: { ids: string[]; days: number | null; reason: string },
): Results => {
  const until = days === null ? 'infinity' : new Date(by.now.getTime() + days * 86_400_000).toISOString();
  return forEachRecord(ids, (id) =>
    amongAdmins(db, async (tx, admins) => {
      await mayLower(tx, by.actor, admins, id);
      await lockVotesOf(tx, id);
      // Whoever votes right now holds this row: their votes are through before, or refused.
      const { rows } = await tx.execute<{ before: string | null }>(
        sql`select banned_until::text as before from users where id = ${id} for update`,
      );
      if (!rows[0]) fail('NOT_FOUND', { what: 'member' });
      await tx.execute(sql`update users set banned_until = ${until} where id = ${id}`);
      const votes = await voidVotesOfBanned(tx, id, by.now);
      const sessions = await endSessions(tx, id);
      await dropTokens(tx, id);
      await publishChange(tx, 'presence');
      await audit(tx, by.actor, {
        action: days === null ? 'member.disabled' : 'member.banned',
        resourceType: 'member',
        resourceId: id,
        before: { bannedUntil: rows[0]?.before ?? null },
        after: { bannedUntil: until, sessions, votes },
        reason,
      });
      return 'done' as const;
    }),
  );
};

/** Opens accounts again; votes that their bans voided are what they were. */
export const unbanUsers = ({ db, by }: ServiceContext, ids: string[]): Results =>
  forEachRecord(ids, (id) =>
    db.transaction(async (tx) => {
      await lockVotesOf(tx, id);
      await lockUser(tx, id);
      const { rows } = await tx.execute<{ before: string }>(sql`
        update users u set banned_until = null from (select id, banned_until::text as before from users where id = ${id}) old
        where u.id = old.id and u.banned_until is not null returning old.before`);
      if (!rows[0]) return 'unchanged';
      const votes = await restoreVotesOfBanned(tx, id, by.now);
      await audit(tx, by.actor, {
        action: 'member.unbanned',
        resourceType: 'member',
        resourceId: id,
        before: { bannedUntil: rows[0].before },
        after: { bannedUntil: null, votes },
      });
      return 'done' as const;
    }),
  );

/** Ends every session of members, also one's own. */
export const revokeUserSessions = ({ db, by }: ServiceContext, ids: string[]): Results =>
  forEachRecord(ids, (id) =>
    db.transaction(async (tx) => {
      await lockUser(tx, id);
      const ended = await endSessions(tx, id);
      if (ended === 0) return 'unchanged';
      await audit(tx, by.actor, {
        action: 'session.all_revoked',
        resourceType: 'member',
        resourceId: id,
        after: { ended },
      });
      return 'done' as const;
    }),
  );

/** Sends members a link to choose a new password; nothing changes until they use it. */
export const sendPasswordLinks = (
  { db, jobs, by }: ServiceContext,
  { ids, locale }: { ids: string[]; locale: MailLocale },
  limit: Limit,
): Results =>
  forEachRecord(ids, async (id) => {
    await consumeRateLimits(db, [{ key: `mail:${id}`, limit }], by.now);
    return db.transaction(async (tx) => {
      const email = await lockUser(tx, id);
      const token = await issueToken(tx, 'reset_password', { userId: id, email, locale, now: by.now });
      const data = { path: pagePath(locale, 'reset', token), until: tokenEnd('reset_password', by.now) };
      await queueMail(tx, jobs, { to: email, locale, template: 'resetPassword', data });
      await audit(tx, by.actor, { action: 'password.reset_sent', resourceType: 'member', resourceId: id });
      return 'done' as const;
    });
  });

/** Deletes accounts for good; see removeAccount for what goes and what stays. The limit counts each of them. */
export const removeUsers = (
  { db, by }: ServiceContext,
  { ids, reason }: { ids: string[]; reason: string },
  limit: Limit,
): Results =>
  forEachRecord(ids, async (id) => {
    const key = `member-removal:${by.actor.id}`;
    await consumeRateLimits(db, [{ key, limit }], by.now);
    return amongAdmins(db, async (tx, admins) => {
      await mayLower(tx, by.actor, admins, id);
      const votes = (await removeMember(tx, id, by.now)) ?? fail('NOT_FOUND', { what: 'member' });
      await audit(tx, by.actor, {
        action: 'member.removed',
        resourceType: 'member',
        resourceId: id,
        after: { votes },
        reason,
      });
      return 'done' as const;
    });
  });

/** Locks a member. @returns the e-mail. @throws NOT_FOUND */
async function lockUser(tx: Tx, id: string): Promise<string> {
  const { rows } = await tx.execute<{ email: string }>(sql`select email from users where id = ${id} for no key update`);
  return rows[0]?.email ?? fail('NOT_FOUND', { what: 'member' });
}

async function conflict(tx: Tx, { id, version, email, username }: AdminUser): Promise<never> {
  const { rows } = await tx.execute<{ by: string | null; at: string }>(sql`
    select coalesce(f.username, u.email) as by, e.at from audit_events e
    left join users u on u.id = e.actor_id left join forum_users f on f.new_auth_user_id = u.id
    where e.resource_type = 'member' and e.resource_id = ${id}
      and e.action in ('member.updated', 'member.renamed', 'email.changed') order by e.id desc limit 1`);
  return fail('VERSION_CONFLICT', {
    version,
    current: { email, username },
    by: rows[0]?.by ?? null,
    at: rows[0] ? iso(rows[0].at) : null,
  });
}

/** The cleaned name. @throws NOT_VALID when signs that nobody sees were all of it. */
function visible(requested: string): string {
  const username = cleanText(requested, 'line');
  return username.length < USERNAME_MIN ? fail('NOT_VALID') : username;
}

/** What must be unique becomes the field that a clash belongs to. */
async function unique<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTaken(error)) throw error;
    const { constraint } = ((error as { cause?: unknown }).cause ?? error) as { constraint?: string };
    return fail('DUPLICATE', { fields: [constraint === 'forum_users_username' ? 'username' : 'email'] });
  }
}
