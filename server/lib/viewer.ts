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
  /** A second factor is set up. */
  hasSecondFactor: boolean;
  /** When this session last proved password or second factor. */
  provedAt: Date;
  /** The rights changed since this session got its token: it gets another one. */
  tokenDue: boolean;
  /** When the session was last renewed. */
  sessionUpdatedAt: Date;
  /** When the session was last noted as used. */
  sessionUsedAt: Date;
}
