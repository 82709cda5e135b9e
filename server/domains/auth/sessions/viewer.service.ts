import type { Me } from '#contract/domains/auth.ts';
import type { Reader } from '#server/db/client.ts';
import { moderates, type Viewer } from '#server/lib/viewer.ts';
import { readMember } from './viewer.sql.ts';

type Derived = 'isForumUser' | 'hasSecondFactor';

/** The viewer that a row says. */
export const viewerOf = ({ hasApp, ...row }: Omit<Viewer, Derived> & { hasApp: boolean }): Viewer => ({
  ...row,
  // An admin is who has an admin profile; the role alone opens nothing.
  role: row.isAdmin ? 'admin' : row.role === 'admin' ? 'user' : row.role,
  isForumUser: row.username !== null,
  hasSecondFactor: hasApp || row.hasPasskey,
});

/** The member with this id as of now, or null. */
export async function viewerById(db: Reader, id: string): Promise<Viewer | null> {
  const [member] = await readMember(db, { id });
  if (!member) return null;
  const now = new Date();
  // Without a session nothing was proved.
  const session = { sessionId: '', provedAt: new Date(0), tokenDue: false, sessionUpdatedAt: now, sessionUsedAt: now };
  return viewerOf({ ...member, ...session });
}

/** The public answer about oneself. */
export const meOf = (viewer: Viewer): Me => ({
  id: viewer.id,
  email: viewer.email,
  emailVerified: viewer.emailVerified,
  username: viewer.username,
  role: viewer.role,
  isAdmin: viewer.isAdmin,
  moderates: moderates(viewer),
  isForumUser: viewer.isForumUser,
  moderatorRequestStatus: viewer.moderatorRequestStatus,
});
