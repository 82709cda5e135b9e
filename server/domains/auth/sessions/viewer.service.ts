import type { Me } from '#contract/domains/auth.ts';
import type { Reader } from '#server/db/client.ts';
import { moderates, type Viewer } from '#server/lib/viewer.ts';
import { readMember } from './viewer.sql.ts';

type Derived = 'isForumUser' | 'hasSecondFactor';

/** The viewer from a row. */
export const viewerOf = ({ hasApp, ...row }: Omit<Viewer, Derived> & { hasApp: boolean }): Viewer => ({
  ...row,
  // Only an admin profile makes an admin; the role alone has no effect.
  role: row.isAdmin ? 'admin' : row.role === 'admin' ? 'user' : row.role,
  isForumUser: row.username !== null,
  hasSecondFactor: hasApp || row.hasPasskey,
});

/** The current member with this id, or null. */
export async function viewerById(db: Reader, id: string): Promise<Viewer | null> {
  const [member] = await readMember(db, { id });
  if (!member) return null;
  const now = new Date();
  // Without a session nothing was proved.
  const session = { sessionId: '', hasRecentStepUp: false, tokenDue: false, sessionUpdatedAt: now, sessionUsedAt: now };
  return viewerOf({ ...member, ...session });
}

/** The viewer in the form for the client; `staffMissing` is the requirement without which staff may not use their rights. */
export const meOf = (viewer: Viewer, staffMissing: Me['staffMissing']): Me => ({
  id: viewer.id,
  email: viewer.email,
  emailVerified: viewer.emailVerified,
  username: viewer.username,
  role: viewer.role,
  isAdmin: viewer.isAdmin,
  moderates: moderates(viewer),
  staffMissing,
  isForumUser: viewer.isForumUser,
  moderatorRequestStatus: viewer.moderatorRequestStatus,
});
