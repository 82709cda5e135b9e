import { and, desc, eq, sql } from 'drizzle-orm';
import type { Trust, TrustLevel } from '#contract/domains/forum-review.ts';
import { TRUST_CHANGES_SHOWN } from '#contract/trust.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers } from '#server/db/tables/accounts.ts';
import { memberTrust, memberTrustChanges } from '#server/db/tables/trust.ts';
import { requireRightsOver } from '#server/domains/account/roles/staff-accounts.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { levelBy, type TrustFacts } from './trust.policy.ts';
import { readTrustFacts } from './trust.sql.ts';
import { requireModerator, type Writer } from './writer.ts';

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };

interface Level {
  level: TrustLevel;
  held: boolean;
}
const asLevel = (row: { level: number; held: boolean }): Level => ({ level: row.level as TrustLevel, held: row.held });

/** The stored level of a member. */
export async function levelOf(db: Reader, userId: string): Promise<Level> {
  const [row] = await db
    .select({ level: memberTrust.level, held: memberTrust.held })
    .from(memberTrust)
    .where(eq(memberTrust.userId, userId));
  return asLevel(row ?? { level: 0, held: false });
}

/** The same, locked until the transaction ends. */
async function lockLevel(tx: Tx, userId: string, now: Date): Promise<Level> {
  await tx.insert(memberTrust).values({ userId, changedAt: now }).onConflictDoNothing();
  const [row] = await tx
    .select({ level: memberTrust.level, held: memberTrust.held })
    .from(memberTrust)
    .where(eq(memberTrust.userId, userId))
    .for('update');
  return asLevel(row ?? fail('NOT_FOUND', { what: 'member' }));
}

export interface Standing extends Level, TrustFacts {
  /** Texts with a link that were released. */
  links: number;
  /** Waiting texts. */
  waiting: number;
}

/**
 * Applies the rules: evaluates a member's figures and stores the resulting level, with an entry of the system when it changes. A
 * level that staff set is not changed. The member's level is locked until the transaction ends.
 *
 * @throws NOT_FOUND without such an account.
 */
export async function applyTrustRules(tx: Tx, userId: string, now: Date): Promise<Standing> {
  const old = await lockLevel(tx, userId, now);
  const [facts] = await readTrustFacts(tx, { member: userId, now });
  if (!facts) return fail('NOT_FOUND', { what: 'member' });
  const { days, texts, removals } = facts;
  const level = old.held ? old.level : levelBy(old.level, facts);
  if (level !== old.level) {
    await write(tx, userId, { level, held: false }, now);
    await tx.insert(memberTrustChanges).values({
      ...change(userId, old, { level, held: false }, now),
      cause: 'rule',
      days,
      texts,
      removals,
    });
    await audit(tx, SYSTEM, {
      action: 'trust.changed',
      resourceType: 'member',
      resourceId: userId,
      before: { trust: old.level },
      after: { trust: level },
    });
  }
  return { ...facts, level, held: old.held };
}

const write = (tx: Tx, userId: string, { level, held }: Level, now: Date) =>
  tx.update(memberTrust).set({ level, held, changedAt: now }).where(eq(memberTrust.userId, userId));

const change = (userId: string, from: Level, to: Level, now: Date) => ({
  userId,
  fromLevel: from.level,
  fromHeld: from.held,
  toLevel: to.level,
  toHeld: to.held,
  changedAt: now,
});

/** The level of a member and its history. @throws NOT_FOUND, and errors of `requireModerator`. */
export async function trustOf(db: Reader, by: Writer, { username }: { username: string }): Promise<Trust> {
  requireModerator(by);
  const [member] = await db
    .select({ id: forumUsers.newAuthUserId })
    .from(forumUsers)
    .where(eq(sql`lower(${forumUsers.username})`, username.toLowerCase()));
  return readTrust(db, member?.id ?? fail('NOT_FOUND', { what: 'member' }));
}

async function readTrust(db: Reader, userId: string): Promise<Trust> {
  const [member] = await db
    .select({ username: forumUsers.username })
    .from(forumUsers)
    .where(eq(forumUsers.newAuthUserId, userId));
  const c = memberTrustChanges;
  const rows = await db
    .select({
      id: c.id,
      cause: c.cause,
      from: c.fromLevel,
      to: c.toLevel,
      held: c.toHeld,
      days: c.days,
      texts: c.texts,
      removals: c.removals,
      reason: c.reason,
      by: sql`(select f.username from forum_users f where f.new_auth_user_id = ${c.changedBy})`.mapWith(orNull(asText)),
      at: c.changedAt,
    })
    .from(c)
    .where(eq(c.userId, userId))
    .orderBy(desc(c.number))
    .limit(TRUST_CHANGES_SHOWN);
  return {
    userId,
    username: member?.username ?? fail('NOT_FOUND', { what: 'member' }),
    ...(await levelOf(db, userId)),
    changes: rows.map(({ from, to, days, texts, removals, at, ...row }) => ({
      ...row,
      from: from as TrustLevel,
      to: to as TrustLevel,
      counted: days === null || texts === null || removals === null ? null : { days, texts, removals },
      at: at.toISOString(),
    })),
  };
}

/**
 * Sets another member's level, which the rules then do not change; null returns it to the rules.
 *
 * @throws NOT_FOUND, ALREADY_DONE when it is already set, FORBIDDEN for one's own, STAFF_ROLE_NEEDED for staff unless by an owner, and
 *   errors of `requireModerator`.
 */
export async function setTrust(
  db: Db,
  by: Writer,
  { userId, level, reason }: { userId: string; level: TrustLevel | null; reason: string },
): Promise<Trust> {
  requireModerator(by);
  if (userId === by.viewer.id) fail('FORBIDDEN');
  return db.transaction(async (tx) => {
    await readTrust(tx, userId);
    await requireRightsOver(tx, by, userId);
    const old = await lockLevel(tx, userId, by.now);
    const next = level === null ? { level: old.level, held: false } : { level, held: true };
    if (next.level === old.level && next.held === old.held) fail('ALREADY_DONE');
    await write(tx, userId, next, by.now);
    await tx.insert(memberTrustChanges).values({
      ...change(userId, old, next, by.now),
      cause: 'staff',
      reason,
      changedBy: by.viewer.id,
    });
    if (level === null) await applyTrustRules(tx, userId, by.now);
    await audit(tx, by.actor, {
      action: 'trust.set',
      resourceType: 'member',
      resourceId: userId,
      before: { trust: old.level },
      after: { trust: next.level },
      reason,
    });
    return readTrust(tx, userId);
  });
}

/**
 * Reverts the newest change of a member's level. A level that staff had set before applies again; after a change by the rules the
 * previous level is set as by staff, because the rules would change it again.
 *
 * @throws NOT_FOUND, ALREADY_DONE when there is a newer change, FORBIDDEN for one's own, STAFF_ROLE_NEEDED for staff unless by an owner,
 *   and errors of `requireModerator`.
 */
export async function undoTrust(
  db: Db,
  by: Writer,
  { userId, changeId, reason }: { userId: string; changeId: string; reason: string },
): Promise<Trust> {
  requireModerator(by);
  if (userId === by.viewer.id) fail('FORBIDDEN');
  return db.transaction(async (tx) => {
    // Throws NOT_FOUND for an unknown member, whose level could not be locked.
    await readTrust(tx, userId);
    await requireRightsOver(tx, by, userId);
    const old = await lockLevel(tx, userId, by.now);
    const c = memberTrustChanges;
    const [request] = await tx
      .select({ cause: c.cause, fromLevel: c.fromLevel, fromHeld: c.fromHeld })
      .from(c)
      .where(and(eq(c.id, changeId), eq(c.userId, userId)));
    if (!request) return fail('NOT_FOUND', { what: 'change' });
    const { changes } = await readTrust(tx, userId);
    if (changes[0]?.id !== changeId) fail('ALREADY_DONE');
    const next = { level: request.fromLevel as TrustLevel, held: request.cause === 'rule' || request.fromHeld };
    await write(tx, userId, next, by.now);
    await tx.insert(c).values({
      ...change(userId, old, next, by.now),
      cause: 'undo',
      undoes: changeId,
      reason,
      changedBy: by.viewer.id,
    });
    await audit(tx, by.actor, {
      action: 'trust.undone',
      resourceType: 'member',
      resourceId: userId,
      before: { trust: old.level },
      after: { trust: next.level },
      reason,
    });
    return readTrust(tx, userId);
  });
}
