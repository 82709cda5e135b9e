import { sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/fail.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import type { AuthRequest } from './admission.service.ts';
import { changeToken } from './session-token.service.ts';

/**
 * Claims an admin invitation. The typed e-mail must be the session's own, that mailbox must be proven, and an unclaimed
 * invitation for it must exist; every other case gets the same refusal, so nothing can be learned from it.
 *
 * @returns the cookies for this browser, whose session gets another token.
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
    const claimed = await tx.execute(sql`
      update admin_users set claimed_by = ${viewer.id}, claimed_at = ${now.toISOString()}
      where email = ${email} and claimed_by is null returning id`);
    if (claimed.rows.length === 0) fail('LINK_REFUSED');
    await tx.execute(sql`insert into admin_profiles (id) values (${viewer.id}) on conflict do nothing`);
    await tx.execute(sql`update user_roles set role = 'admin', moderator_request_status = 'approved',
      assigned_at = ${now.toISOString()}, assigned_by = ${viewer.id} where user_id = ${viewer.id}`);
    await audit(tx, actor, {
      action: 'admin.invitation_claimed',
      resourceType: 'member',
      resourceId: viewer.id,
      before: { role: viewer.role },
      after: { role: 'admin' },
    });
    return changeToken(tx, auth, viewer.sessionId);
  });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Claims a legacy forum profile: unlinked, and its stored e-mail is the caller's proven one. The posts move to the
 * caller's profile under the legacy name; rights never come along.
 *
 * @throws LINK_REFUSED in every other case, always the same.
 */
export async function linkForumUser(db: Db, actor: Actor, viewer: Viewer, forumUserId: string): Promise<void> {
  if (!UUID.test(forumUserId) || !viewer.emailVerified) fail('LINK_REFUSED');
  await db.transaction(async (tx) => {
    const legacy = await tx.execute<{ id: string; username: string }>(sql`
      select id, username from forum_users
      where id = ${forumUserId} and new_auth_user_id is null and legacy_email = ${viewer.email} for update`);
    const profile = legacy.rows[0];
    if (!profile) return fail('LINK_REFUSED');
    const own = await tx.execute<{ id: string }>(
      sql`select id from forum_users where new_auth_user_id = ${viewer.id} for update`,
    );
    const mine = own.rows[0];
    if (mine) {
      await tx.execute(sql`update forum_posts set forum_user_id = ${profile.id} where forum_user_id = ${mine.id}`);
      await tx.execute(sql`delete from forum_users where id = ${mine.id}`);
    }
    await tx.execute(sql`update forum_users set new_auth_user_id = ${viewer.id}, migration_status = 'completed', legacy_email = null
      where id = ${profile.id}`);
    await audit(tx, actor, {
      action: 'forum_profile.linked',
      resourceType: 'forum_user',
      resourceId: profile.id,
      after: { username: profile.username },
    });
  });
}
