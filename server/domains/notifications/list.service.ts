import { ORPCError } from '@orpc/server';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Notification, NotificationKind } from '#contract/notifications.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import type { NotificationData } from '#server/db/tables/notifications.ts';
import { privatePath } from '#server/lib/private-pages.ts';
import { publishTo } from './notify.service.ts';

/** More unread ones are not counted. */
const COUNTED_MAX = 100;

/** Time (PostgreSQL's microseconds as text) and id of the last row of a page. */
const position = z.tuple([z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)?$/), z.uuid()]);
const encode = (at: string, id: string) => Buffer.from(JSON.stringify([at, id])).toString('base64url');
function decode(cursor: string): z.infer<typeof position> {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new ORPCError('BAD_REQUEST', { message: 'Unreadable cursor' });
  }
}

export interface NotificationRow extends Record<string, unknown> {
  id: string;
  userId: string;
  kind: NotificationKind;
  detail: string;
  data: NotificationData;
  postId: string | null;
  postTitle: string | null;
  actor: string | null;
  gathered: number;
  at: string;
  readAt: string | null;
}

/** What a notification says, with the names and titles as they are now; hidden posts have none. */
export const NOTIFICATION = sql.raw(`n.id, n.user_id as "userId", n.kind, n.detail, n.data, n.post_id as "postId",
  case when p.is_hidden then null else p.title end as "postTitle", a.username as actor, n.gathered,
  n.changed_at::text as at, n.read_at as "readAt"`);
export const NOTIFICATION_FROM = sql.raw(`from notifications n left join forum_posts p on p.id = n.post_id
  left join forum_users a on a.new_auth_user_id = n.actor_id`);

/** @param secret opens the private pages of requests to the member whom they are about. */
export function notificationOf(row: NotificationRow, secret: string, locale: 'es' | 'en' = 'es'): Notification {
  const { data } = row;
  const path = row.postId
    ? row.postTitle === null
      ? null
      : `/forum/${row.postId}`
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

/** A member's notifications, the latest first. @throws BAD_REQUEST when the cursor is not one of ours. */
export async function listNotifications(
  db: Reader,
  secret: string,
  userId: string,
  input: { cursor?: string | null | undefined; limit: number },
): Promise<{ items: Notification[]; nextCursor: string | null }> {
  const from = input.cursor ? decode(input.cursor) : null;
  const after = from
    ? sql`and n.changed_at <= ${from[0]}::timestamptz and (n.changed_at < ${from[0]}::timestamptz or n.id > ${from[1]}::uuid)`
    : sql``;
  const { rows } = await db.execute<NotificationRow>(sql`
    select ${NOTIFICATION} ${NOTIFICATION_FROM} where n.user_id = ${userId} and n.in_app ${after}
    order by n.changed_at desc, n.id limit ${input.limit + 1}`);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => notificationOf(row, secret)),
    nextCursor: rows.length > input.limit && last ? encode(last.at, last.id) : null,
  };
}

/** How many a member has not read, counted up to 100. */
export async function countUnread(db: Reader, userId: string): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(sql`
    select count(*)::int as n from (
      select 1 from notifications where user_id = ${userId} and in_app and read_at is null limit ${COUNTED_MAX}) unread`);
  return rows[0]?.n ?? 0;
}

/**
 * Marks some notifications of a member as read, or all that had changed by a moment; what came later stays unread.
 *
 * @returns how many are left unread.
 */
export function markRead(
  db: Db,
  userId: string,
  what: { ids?: string[] | undefined; until?: string | undefined },
  now: Date,
): Promise<number> {
  const which = what.ids
    ? sql`id = any(${sql.param(what.ids)}::uuid[])`
    : sql`changed_at <= ${what.until ?? '-infinity'}::timestamptz`;
  return db.transaction(async (tx: Tx) => {
    const { rowCount } = await tx.execute(sql`
      update notifications set read_at = ${now.toISOString()}
      where user_id = ${userId} and in_app and read_at is null and ${which}`);
    // The other screens of the same member.
    if (rowCount) await publishTo(tx, [userId]);
    return countUnread(tx, userId);
  });
}
