import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { RESTRICTIONS_MAX, type Restriction, type RestrictionLevel } from '#contract/domains/profiles.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { memberRestrictions } from '#server/db/tables/profiles.ts';
import { publishTo } from '#server/domains/notifications/notify.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';

/** Members that a member muted or blocked, latest first. */
export async function restrictionsOf(db: Reader, memberId: string): Promise<Restriction[]> {
  const rows = await db
    .select({
      username: forumUsers.username,
      shortId: sql`left(regexp_replace(${forumUsers.walletAddress}, '^user_', ''), 8)`.mapWith(asText),
      level: memberRestrictions.level,
      since: memberRestrictions.since,
    })
    .from(memberRestrictions)
    .innerJoin(forumUsers, eq(forumUsers.newAuthUserId, memberRestrictions.otherId))
    .where(eq(memberRestrictions.memberId, memberId))
    .orderBy(desc(memberRestrictions.since), memberRestrictions.otherId)
    .limit(RESTRICTIONS_MAX);
  return rows.map((row) => ({ ...row, since: row.since.toISOString() }));
}

/**
 * Mutes or blocks a member, or ends that; the other member is not notified. From then on that member's actions and mentions cause
 * no notifications, and the member's own screens collapse or omit their texts.
 *
 * @throws NOT_FOUND when no account has the name, FORBIDDEN for oneself.
 * @throws TOO_MANY_RESTRICTED past 500 members.
 */
export async function restrict(
  db: Db,
  actor: Actor & { id: string },
  { name, level }: { name: string; level: RestrictionLevel | 'none' },
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [other] = await tx
      .select({ id: sql`${forumUsers.newAuthUserId}`.mapWith(asText) })
      .from(forumUsers)
      .where(and(eq(sql`lower(${forumUsers.username})`, sql`lower(${name})`), isNotNull(forumUsers.newAuthUserId)));
    if (!other) return fail('NOT_FOUND', { what: 'member' });
    if (other.id === actor.id) fail('FORBIDDEN');
    // The member's row is the lock, so that concurrent tabs can't exceed the limit together, and changes are serialized.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.id)).for('no key update');
    const mine = and(eq(memberRestrictions.memberId, actor.id), eq(memberRestrictions.otherId, other.id));
    const [before] = await tx.select({ level: memberRestrictions.level }).from(memberRestrictions).where(mine);
    if ((before?.level ?? 'none') === level) return;
    if (level === 'none') await tx.delete(memberRestrictions).where(mine);
    else {
      const own = eq(memberRestrictions.memberId, actor.id);
      if (!before && (await tx.$count(memberRestrictions, own)) >= RESTRICTIONS_MAX) fail('TOO_MANY_RESTRICTED');
      await tx
        .insert(memberRestrictions)
        .values({ memberId: actor.id, otherId: other.id, level, since: now })
        .onConflictDoUpdate({ target: [memberRestrictions.memberId, memberRestrictions.otherId], set: { level } });
    }
    // Updates the member's other screens.
    await publishTo(tx, [actor.id]);
    const action = ({ mute: 'member.muted', block: 'member.blocked', none: 'member.unrestricted' } as const)[level];
    await audit(tx, actor, { action, resourceType: 'member', resourceId: other.id });
  });
}
