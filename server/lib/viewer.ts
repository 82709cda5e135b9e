import type { Role } from '#contract/domains/auth.ts';
import { mayAs, type StaffRole } from '#contract/staff.ts';

/** The signed-in person of a request, read from the session only. */
export interface Viewer {
  id: string;
  email: string;
  emailVerified: boolean;
  username: string | null;
  role: Role;
  isAdmin: boolean;
  /** Staff roles of an admin; empty for everybody else. */
  staffRoles: readonly StaffRole[];
  isForumUser: boolean;
  moderatorRequestStatus: 'approved' | 'pending' | 'rejected';
  sessionId: string;
  /** True if a second factor is set up: an authenticator app, a passkey, or both. */
  hasSecondFactor: boolean;
  hasPasskey: boolean;
  /** True for staff with a generated password that they have not replaced yet. */
  passwordDue: boolean;
  /** True if there are at least two admins. */
  severalAdmins: boolean;
  /** True if this session confirmed the password or second factor (step-up) within `STEP_UP_MINUTES`, by the database's clock. */
  hasRecentStepUp: boolean;
  /** The member's rights changed since the session's token was issued: the token has to be replaced. */
  tokenDue: boolean;
  /** When the session was last renewed. */
  sessionUpdatedAt: Date;
  /** When the use of the session was last recorded. */
  sessionUsedAt: Date;
}

/**
 * True if this member's second factor must be a passkey: staff, when there are at least two admins. @param staffPasskey
 * setting of the installation.
 */
export const needsPasskey = (
  { staffPasskey }: { staffPasskey: boolean },
  viewer: Pick<Viewer, 'role' | 'severalAdmins'>,
) => staffPasskey && viewer.role !== 'user' && viewer.severalAdmins;

/** True if the member may moderate the forum: a moderator, or an admin with a staff role for it. */
export const moderates = ({ role, staffRoles }: Pick<Viewer, 'role' | 'staffRoles'>): boolean =>
  role === 'moderator' || mayAs(staffRoles, ['moderator']);
