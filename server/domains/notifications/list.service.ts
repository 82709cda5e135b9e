import { ORPCError } from '@orpc/server';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Notification, NotificationKind } from '#contract/domains/notifications.ts';
import { commentAnchor } from '#contract/text/comment-anchor.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { type NotificationData, notifications } from '#server/db/tables/notifications.ts';
import { privatePath } from '#server/lib/crypto/page-secrets.ts';
import { readNotifications, readUnread } from './notifications.sql.ts';
import { publishTo } from './notify.service.ts';

/** Upper limit of the unread count. */
const COUNTED_MAX = 100;

/** Cursor: time (PostgreSQL's microseconds as text) and id of the last row of a page. */
const position = z.tuple([z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)?$/), z.uuid()]);
const encode = (at: string, id: string) => Buffer.from(JSON.stringify([at, id])).toString('base64url');
function decode(cursor: string): z.infer<typeof position> {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new ORPCError('BAD_REQUEST', { message: 'Unreadable cursor' });
  }
}

interface NotificationRow {
  id: string;
  userId: string;
  kind: NotificationKind;
  detail: string;
  data: NotificationData;
  postId: string | null;
  postTitle: string | null;
  commentId: string | null;
  actor: string | null;
  gathered: number;
  /** With PostgreSQL's microseconds. */
  at: string;
  readAt: Date | null;
}

/** @param secret signs links to the private pages of requests for the member whom they concern. */
export function notificationOf(row: NotificationRow, secret: string, locale: 'es' | 'en' = 'es'): Notification {
  const { data } = row;
  const path = row.postId
    ? row.postTitle === null
      ? null
      : `/forum/${row.postId}${row.commentId ? `#${commentAnchor(row.commentId)}` : ''}`
    : data.submissionId
      ? privatePath(secret, 'submission', data.submissionId, locale).replace(/^\/en(?=\/)/, '')
      : (data.path ?? null);
  return {
    id: row.id,
    kind: row.kind,
    detail: row.detail,
    actor: row.actor,
    title: row.postId ? row.postTitle : (data.title ?? null),
    count: data.number ?? row.gathered,
    path,
    at: new Date(row.at).toISOString(),
    read: row.readAt !== null,
  };
}

/** A member's notifications, latest first, without those of people whom they mute or block. @throws BAD_REQUEST for an invalid cursor. */
export async function listNotifications(
  db: Reader,
  secret: string,
  userId: string,
  input: { cursor?: string | null | undefined; limit: number },
): Promise<{ items: Notification[]; nextCursor: string | null }> {
  const from = input.cursor ? decode(input.cursor) : null;
  const rows = await readNotifications(db, {
    user: userId,
    // The first page starts after any possible notification.
    at: from?.[0] ?? 'infinity',
    id: from?.[1] ?? null,
    max: input.limit + 1,
  });
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => notificationOf(row, secret)),
    nextCursor: rows.length > input.limit && last ? encode(last.at, last.id) : null,
  };
}

/** Number of unread notifications in a member's list, counted up to 100. */
export async function countUnread(db: Reader, userId: string): Promise<number> {
  const [row] = await readUnread(db, { user: userId, max: COUNTED_MAX });
  return row?.unread ?? 0;
}

/**
 * Marks some notifications of a member as read, or all that had changed by a given time; later ones stay unread.
 *
 * @returns the number of remaining unread ones.
 */
export function markRead(
  db: Db,
  userId: string,
  what: { ids?: string[] | undefined; until?: string | undefined },
  now: Date,
): Promise<number> {
  // Compared in the database, with its microseconds.
  const which = what.ids
    ? inArray(notifications.id, what.ids)
    : sql`${notifications.changedAt} <= ${what.until ?? '-infinity'}::timestamptz`;
  return db.transaction(async (tx: Tx) => {
    const { rowCount } = await tx
      .update(notifications)
      .set({ readAt: now })
      .where(and(eq(notifications.userId, userId), notifications.inApp, isNull(notifications.readAt), which));
    // Updates the member's other screens.
    if (rowCount) await publishTo(tx, [userId]);
    return countUnread(tx, userId);
  });
}
