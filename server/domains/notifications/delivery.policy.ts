import { quietUntil } from './quiet-hours.policy.ts';

/** A notification, and what its member wants by now. */
interface PendingNotification {
  postId: string | null;
  /** Null when the post is hidden. */
  postTitle: string | null;
  readAt: Date | null;
  banned: boolean;
  withdrawn: boolean;
  restricted: boolean;
  tokenGone: boolean;
  zone: string;
  /** Minutes of the member's day; null when there are no quiet hours. */
  quietFrom: number | null;
  quietTo: number | null;
}

/**
 * True when the notification was read meanwhile, is about a text or a saved token that is hidden or removed, a token that its member no
 * longer saves or a vote whose state has changed again, or is by somebody whom its member mutes or blocks by now, or when the member is
 * banned.
 */
export const isObsolete = (row: PendingNotification): boolean =>
  row.readAt !== null ||
  row.banned ||
  (row.postId !== null && row.postTitle === null) ||
  row.withdrawn ||
  row.restricted ||
  row.tokenGone;

/** End of the quiet hours of its member; null outside of them. */
export const quietEnd = ({ zone, quietFrom: from, quietTo: to }: PendingNotification, now: Date): Date | null =>
  from === null || to === null ? null : quietUntil(now, { zone, from, to });
