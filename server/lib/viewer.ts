import type { Role } from '#contract/auth.ts';

/** The person behind a request, read from the session only. */
export interface Viewer {
  id: string;
  email: string;
  emailVerified: boolean;
  username: string | null;
  role: Role;
  isAdmin: boolean;
  isForumUser: boolean;
  moderatorRequestStatus: 'approved' | 'pending' | 'rejected';
  sessionId: string;
  /** When the session was last renewed. */
  sessionUpdatedAt: Date;
}
