import { sql } from 'drizzle-orm';
import type { Me } from '#contract/auth.ts';
import type { Reader } from '#server/db/client.ts';
import type { Viewer } from '#server/lib/viewer.ts';

/** How a viewer is read from `users u`; shared by the session reader and the look-up by id. */
export const VIEWER_COLUMNS = `u.id, u.email, u.email_verified, f.username, coalesce(r.role, 'user') as role,
  coalesce(r.moderator_request_status, 'approved') as status, a.id is not null as is_admin,
  sf.user_id is not null as has_app, exists (select 1 from passkeys p where p.user_id = u.id) as has_passkey,
  (select count(*) > 1 from (select 1 from admin_profiles limit 2) several) as several_admins`;
export const VIEWER_JOINS = `left join user_roles r on r.user_id = u.id left join admin_profiles a on a.id = u.id
  left join forum_users f on f.new_auth_user_id = u.id
  left join second_factors sf on sf.user_id = u.id and sf.confirmed_at is not null`;

/** Longest life of a session, however much it is used; staff has the shorter one from the moment it is staff. */
const MEMBER_LIFE = "interval '30 days'";
const STAFF_LIFE = "interval '12 hours'";
/** Whether session `s` of a member with role `r` and admin profile `a` still counts. */
export const LIVES = `s.expires_at > now() and s.created_at > now() -
  case when a.id is not null or r.role = 'moderator' then ${STAFF_LIFE} else ${MEMBER_LIFE} end`;

export interface ViewerRow {
  id: string;
  email: string;
  email_verified: boolean;
  username: string | null;
  role: Viewer['role'];
  status: Viewer['moderatorRequestStatus'];
  is_admin: boolean;
  has_app: boolean;
  has_passkey: boolean;
  several_admins: boolean;
  session_id?: string;
  session_updated_at?: Date;
  session_used_at?: Date;
  session_proved_at?: Date;
  session_token_due?: boolean;
}

export const viewerOf = (row: ViewerRow): Viewer => ({
  id: row.id,
  email: row.email,
  emailVerified: row.email_verified,
  username: row.username,
  // An admin is who has an admin profile; the role alone opens nothing.
  role: row.is_admin ? 'admin' : row.role === 'admin' ? 'user' : row.role,
  isAdmin: row.is_admin,
  isForumUser: row.username !== null,
  moderatorRequestStatus: row.status,
  sessionId: row.session_id ?? '',
  hasSecondFactor: row.has_app || row.has_passkey,
  hasPasskey: row.has_passkey,
  severalAdmins: row.several_admins,
  // Without a session nothing was proved.
  provedAt: row.session_proved_at ?? new Date(0),
  tokenDue: row.session_token_due ?? false,
  sessionUpdatedAt: row.session_updated_at ?? new Date(),
  sessionUsedAt: row.session_used_at ?? new Date(),
});

/** The member with this id as of now, or null. */
export async function viewerById(db: Reader, id: string): Promise<Viewer | null> {
  const { rows } = await db.execute<ViewerRow & Record<string, unknown>>(
    sql`select ${sql.raw(VIEWER_COLUMNS)} from users u ${sql.raw(VIEWER_JOINS)} where u.id = ${id}`,
  );
  return rows[0] ? viewerOf(rows[0]) : null;
}

/** The public answer about oneself. */
export const meOf = (viewer: Viewer): Me => ({
  id: viewer.id,
  email: viewer.email,
  emailVerified: viewer.emailVerified,
  username: viewer.username,
  role: viewer.role,
  isAdmin: viewer.isAdmin,
  isForumUser: viewer.isForumUser,
  moderatorRequestStatus: viewer.moderatorRequestStatus,
});
