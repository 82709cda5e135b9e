import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { adminProfiles, adminUsers, forumUsers, userRoles } from '#server/db/tables/accounts.ts';
import { forumPosts } from '#server/db/tables/forum.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { isUuid } from '#server/lib/text/uuid.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { publishChange } from '#server/live/publish.ts';
import type { AuthRequest } from './open-session.service.ts';
import { changeTokenIfOpen } from './sessions/session-token.service.ts';

/**
 * Claims an admin invitation. The typed e-mail must be that of the session's account, its mailbox must be proven, and an unclaimed
 * invitation for it must exist; every other case gets the same error, so that nothing is revealed.
 *
 * @returns the cookies for this browser, whose session gets a new token.
 * @throws LINK_REFUSED
 */
export async function linkAdmin(
  { db, auth, now }: AuthRequest,
  actor: Actor,
  viewer: Viewer,
  email: string,
): Promise<string[]> {
  if (email !== viewer.email || !viewer.emailVerified) fail('LINK_REFUSED');
  return db.transaction(async (tx) => {
    const [claimed] = await tx
      .update(adminUsers)
      .set({ claimedBy: viewer.id, claimedAt: now })
      .where(and(eq(adminUsers.email, email), isNull(adminUsers.claimedBy)))
      .returning({ staffRoles: adminUsers.staffRoles });
    const { staffRoles } = claimed ?? fail('LINK_REFUSED');
    // An existing admin retains the current rights.
    await tx.insert(adminProfiles).values({ id: viewer.id, staffRoles }).onConflictDoNothing();
    await tx
      .update(userRoles)
      .set({ role: 'admin', moderatorRequestStatus: 'approved', assignedAt: now, assignedBy: viewer.id })
      .where(eq(userRoles.userId, viewer.id));
    await publishChange(tx, 'forum');
    await audit(tx, actor, {
      action: 'admin.invitation_claimed',
      resourceType: 'member',
      resourceId: viewer.id,
      before: { role: viewer.role },
      after: { role: 'admin', staffRoles },
    });
    // The new rights end a session that a wallet alone opened (trigger on_rights_changed).
    return changeTokenIfOpen(tx, auth, viewer.sessionId);
  });
}

/**
 * Claims a legacy forum profile: unlinked, and its stored e-mail is the caller's proven one. The posts move to the caller's profile
 * under the legacy name; rights are never transferred. Whoever is hidden from the list of members who are online stays hidden. A
 * profile that already is the caller's is not changed.
 *
 * @throws LINK_REFUSED in every other case, always the same.
 */
export async function linkForumUser(db: Db, actor: Actor, viewer: Viewer, forumUserId: string): Promise<void> {
  if (!isUuid(forumUserId) || !viewer.emailVerified) fail('LINK_REFUSED');
  await db.transaction(async (tx) => {
    const [profile] = await tx
      .select({ id: forumUsers.id, username: forumUsers.username })
      .from(forumUsers)
      .where(
        and(eq(forumUsers.id, forumUserId), isNull(forumUsers.newAuthUserId), eq(forumUsers.legacyEmail, viewer.email)),
      )
      .for('update');
    const [mine] = await tx
      .select({ id: forumUsers.id, hidePresence: forumUsers.hidePresence })
      .from(forumUsers)
      .where(eq(forumUsers.newAuthUserId, viewer.id))
      .for('update');
    if (!profile) {
      if (mine?.id === forumUserId.toLowerCase()) return;
      return fail('LINK_REFUSED');
    }
    if (mine) {
      await tx.update(forumPosts).set({ forumUserId: profile.id }).where(eq(forumPosts.forumUserId, mine.id));
      await tx.delete(forumUsers).where(eq(forumUsers.id, mine.id));
    }
    await tx
      .update(forumUsers)
      .set({
        newAuthUserId: viewer.id,
        migrationStatus: 'completed',
        legacyEmail: null,
        ...(mine ? { hidePresence: mine.hidePresence } : {}),
      })
      .where(eq(forumUsers.id, profile.id));
    await publishChange(tx, 'forum');
    await publishChange(tx, 'presence');
    await audit(tx, actor, {
      action: 'forum_profile.linked',
      resourceType: 'forum_user',
      resourceId: profile.id,
    });
  });
}
