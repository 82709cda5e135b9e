import type { Role } from '#contract/domains/auth.ts';
import { mayAs, type StaffRole } from '#contract/staff.ts';

/** The person behind a request, read from the session only. */
export interface Viewer {
  id: string;
  email: string;
  emailVerified: boolean;
  username: string | null;
  role: Role;
  isAdmin: boolean;
  /** Of an admin: the parts of the back office; none for everybody else. */
  staffRoles: readonly StaffRole[];
  isForumUser: boolean;
  moderatorRequestStatus: 'approved' | 'pending' | 'rejected';
  sessionId: string;
  /** A second factor is set up: an authenticator app, a passkey, or both. */
  hasSecondFactor: boolean;
  hasPasskey: boolean;
  /** Staff whose password the program made and who has not chosen one yet. */
  passwordDue: boolean;
  /** There are two admins or more. */
  severalAdmins: boolean;
  /** When this session last proved password or second factor. */
  provedAt: Date;
  /** The rights changed since this session got its token: it gets another one. */
  tokenDue: boolean;
  /** When the session was last renewed. */
  sessionUpdatedAt: Date;
  /** When the session was last noted as used. */
  sessionUsedAt: Date;
}

/** Staff whose second factor has to be a passkey. @param staffPasskey the installation asks for it. */
export const needsPasskey = (
  { staffPasskey }: { staffPasskey: boolean },
  viewer: Pick<Viewer, 'role' | 'severalAdmins'>,
) => staffPasskey && viewer.role !== 'user' && viewer.severalAdmins;

/** May moderate the forum: a moderator, or an admin whose staff roles say so. */
export const moderates = ({ role, staffRoles }: Pick<Viewer, 'role' | 'staffRoles'>): boolean =>
  role === 'moderator' || mayAs(staffRoles, ['moderator']);
