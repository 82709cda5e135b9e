import { ORPCError } from '@orpc/server';
import { sql } from 'drizzle-orm';
import type { Comment, Post } from '#contract/forum.ts';
import {
  COMMENT_MAX,
  EDIT_MINUTES,
  type Limit,
  NEW_MEMBER_HOURS,
  POST_CONTENT_MAX,
  POST_TITLE_MAX,
  REPEAT_MINUTES,
} from '#contract/limits.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { notifyOfText } from '#server/domains/notifications/notify.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { fail } from '#server/lib/fail.ts';
import { consumeRateLimits, type Take } from '#server/lib/rate-limit.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { publish } from '#server/live/publish.ts';
import { canDelete, canEdit, isEditable } from './forum.policy.ts';
import { findComment, findPost } from './forum-reads.service.ts';

/** Between two texts of a member, of a new one, and in a day. */
interface WriteLimits {
  pause: Limit;
  pauseNew: Limit;
  day?: Limit;
}

/** Who writes, for all functions here. */
export interface Writer {
  viewer: Viewer;
  actor: Actor;
  now: Date;
  /** A moderator who has not set up the second factor that the installation asks for. */
  withoutPowers?: boolean;
}

/**
 * Publishes a post.
 *
 * @throws RATE_LIMITED one per 15 s (60 s in the first day of an account), 20 a day.
 * @throws DUPLICATE_POST when the same author posted the same text within 5 minutes.
 */
export async function createPost(
  db: Db,
  { viewer, actor, now }: Writer,
  input: { title: string; content: string },
  limits: WriteLimits,
): Promise<Post> {
  const title = readable(input.title, 'line', POST_TITLE_MAX);
  const content = readable(input.content, 'text', POST_CONTENT_MAX);
  return db.transaction(async (tx) => {
    const profile = await ensureProfile(tx, viewer);
    const same = await tx.execute(sql`
      select 1 from forum_posts where forum_user_id = ${profile} and title = ${title} and content = ${content}
        and created_at > ${minutesBefore(now, REPEAT_MINUTES)} limit 1`);
    if (same.rows.length > 0) fail('DUPLICATE_POST');
    await takePause(tx, viewer, now, 'post', limits);
    const { rows } = await tx.execute<{ id: string }>(sql`
      insert into forum_posts (title, content, forum_user_id, created_at)
      values (${title}, ${content}, ${profile}, ${now.toISOString()}) returning id`);
    const id = rows[0]?.id ?? '';
    await publish(tx, { type: 'post.created', postId: id });
    await notifyOfText(tx, { postId: id, text: `${title}\n${content}`, actorId: viewer.id, now });
    await audit(tx, actor, { action: 'post.created', resourceType: 'post', resourceId: id, after: { title } });
    return findPost(tx, id);
  });
}

/**
 * Comments on a post.
 *
 * @throws NOT_FOUND when the post is not visible.
 * @throws RATE_LIMITED one per 5 s (30 s in the first day of an account).
 * @throws DUPLICATE_POST when the same member wrote the same there within 5 minutes.
 */
export async function createComment(
  db: Db,
  { viewer, actor, now }: Writer,
  input: { postId: string; content: string },
  limits: WriteLimits,
): Promise<Comment> {
  const content = readable(input.content, 'text', COMMENT_MAX);
  return db.transaction(async (tx) => {
    await ensureProfile(tx, viewer);
    const post = await tx.execute(
      sql`select 1 from forum_posts where id = ${input.postId} and not is_hidden for no key update`,
    );
    if (post.rows.length === 0) fail('NOT_FOUND', { what: 'post' });
    const same = await tx.execute(sql`
      select 1 from forum_comments where user_id = ${viewer.id} and post_id = ${input.postId} and content = ${content}
        and not is_hidden and created_at > ${minutesBefore(now, REPEAT_MINUTES)} limit 1`);
    if (same.rows.length > 0) fail('DUPLICATE_POST');
    await takePause(tx, viewer, now, 'comment', limits);
    const { rows } = await tx.execute<{ id: string }>(sql`
      insert into forum_comments (post_id, user_id, content, created_at)
      values (${input.postId}, ${viewer.id}, ${content}, ${now.toISOString()}) returning id`);
    const id = rows[0]?.id ?? '';
    await tx.execute(sql`update forum_posts set comment_count = comment_count + 1 where id = ${input.postId}`);
    await publish(tx, { type: 'post.changed', postId: input.postId });
    await notifyOfText(tx, { postId: input.postId, commentId: id, text: content, actorId: viewer.id, now });
    await audit(tx, actor, {
      action: 'comment.created',
      resourceType: 'comment',
      resourceId: id,
      after: { postId: input.postId },
    });
    return findComment(tx, id);
  });
}

/**
 * Changes one's own post.
 *
 * @throws NOT_FOUND, FORBIDDEN for somebody else's, EDIT_WINDOW_CLOSED 15 minutes after it was written.
 */
export async function editPost(
  db: Db,
  { viewer, actor, now }: Writer,
  input: { id: string; title: string; content: string },
): Promise<Post> {
  const title = readable(input.title, 'line', POST_TITLE_MAX);
  const content = readable(input.content, 'text', POST_CONTENT_MAX);
  return db.transaction(async (tx) => {
    const old = await lockPost(tx, input.id);
    if (!canEdit(viewer, old)) fail('FORBIDDEN');
    if (!isEditable(old, now, EDIT_MINUTES)) fail('EDIT_WINDOW_CLOSED');
    await tx.execute(
      sql`update forum_posts set title = ${title}, content = ${content}, edited_at = ${now.toISOString()} where id = ${input.id}`,
    );
    await publish(tx, { type: 'post.changed', postId: input.id });
    await audit(tx, actor, {
      action: 'post.edited',
      resourceType: 'post',
      resourceId: input.id,
      before: { title: old.title, content: old.content },
      after: { title, content },
    });
    return findPost(tx, input.id);
  });
}

/** Changes one's own comment; same rules as for posts. */
export async function editComment(
  db: Db,
  { viewer, actor, now }: Writer,
  input: { id: string; content: string },
): Promise<Comment> {
  const content = readable(input.content, 'text', COMMENT_MAX);
  return db.transaction(async (tx) => {
    const old = await lockComment(tx, input.id);
    if (!canEdit(viewer, old)) fail('FORBIDDEN');
    if (!isEditable(old, now, EDIT_MINUTES)) fail('EDIT_WINDOW_CLOSED');
    await tx.execute(
      sql`update forum_comments set content = ${content}, edited_at = ${now.toISOString()} where id = ${input.id}`,
    );
    await publish(tx, { type: 'post.changed', postId: old.postId });
    await audit(tx, actor, {
      action: 'comment.edited',
      resourceType: 'comment',
      resourceId: input.id,
      before: { content: old.content },
      after: { content },
    });
    return findComment(tx, input.id);
  });
}

/** Hides a post: its author at any time, moderators and admins any. @throws NOT_FOUND, FORBIDDEN */
export async function deletePost(db: Db, { viewer, actor, now, withoutPowers }: Writer, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const old = await lockPost(tx, id);
    if (!canDelete(viewer, old)) fail('FORBIDDEN');
    if (withoutPowers && old.authorId !== viewer.id) fail('SECOND_FACTOR_REQUIRED');
    await tx.execute(
      sql`update forum_posts set is_hidden = true, deleted_by = ${viewer.id}, deleted_at = ${now.toISOString()} where id = ${id}`,
    );
    // The place of an author's own deletion stays while others have answered.
    const stays = old.authorId === viewer.id && old.commentCount > 0;
    await publish(tx, { type: stays ? 'post.changed' : 'post.removed', postId: id });
    await audit(tx, actor, {
      action: 'post.deleted',
      resourceType: 'post',
      resourceId: id,
      before: { title: old.title, authorId: old.authorId },
    });
  });
}

/** Hides a comment; same rules as for posts. @returns the post it stood under. */
export async function deleteComment(
  db: Db,
  { viewer, actor, now, withoutPowers }: Writer,
  id: string,
): Promise<string> {
  return db.transaction(async (tx) => {
    const old = await lockComment(tx, id);
    if (!canDelete(viewer, old)) fail('FORBIDDEN');
    if (withoutPowers && old.authorId !== viewer.id) fail('SECOND_FACTOR_REQUIRED');
    await tx.execute(
      sql`update forum_comments set is_hidden = true, deleted_by = ${viewer.id}, deleted_at = ${now.toISOString()} where id = ${id}`,
    );
    await tx.execute(sql`update forum_posts set comment_count = comment_count - 1 where id = ${old.postId}`);
    await publish(tx, { type: 'post.changed', postId: old.postId });
    await audit(tx, actor, {
      action: 'comment.deleted',
      resourceType: 'comment',
      resourceId: id,
      before: { content: old.content, authorId: old.authorId },
    });
    return old.postId;
  });
}

/** Letters by their class, blank to every eye. */
const BLANKS = /[\u115f\u1160\u2800\u3164\uffa0]/gu;

/**
 * The cleaned text. Signs that nobody sees make no post, and one Unicode form can be longer than what was typed.
 *
 * @throws BAD_REQUEST when nothing to read is left, or too much.
 */
function readable(value: string, kind: 'line' | 'text', most: number): string {
  const clean = cleanText(value, kind);
  if (clean.length > most || !/[\p{L}\p{N}\p{P}\p{S}]/u.test(clean.replace(BLANKS, '')))
    throw new ORPCError('BAD_REQUEST', { message: 'No readable text, or too long' });
  return clean;
}

/**
 * Every account gets its profile with sign-up; this mends one that lost it.
 * @returns id of the forum profile.
 */
async function ensureProfile(tx: Tx, viewer: Viewer): Promise<string> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select id from forum_users where new_auth_user_id = ${viewer.id}`,
  );
  if (rows[0]) return rows[0].id;
  const made = await tx.execute<{ id: string }>(sql`
    insert into forum_users (id, username, wallet_address, new_auth_user_id)
    values (${viewer.id}, 'User_' || left(${viewer.id}, 8), 'user_' || ${viewer.id}, ${viewer.id})
    on conflict (id) do update set new_auth_user_id = excluded.new_auth_user_id returning id`);
  return made.rows[0]?.id ?? fail('FORBIDDEN');
}

async function takePause(
  tx: Tx,
  viewer: Viewer,
  now: Date,
  what: 'post' | 'comment',
  { pause, pauseNew, day }: WriteLimits,
): Promise<void> {
  const { rows } = await tx.execute<{ fresh: boolean }>(
    sql`select created_at > ${minutesBefore(now, NEW_MEMBER_HOURS * 60)} as fresh from users where id = ${viewer.id}`,
  );
  const fresh = rows[0]?.fresh ?? true;
  const takes: Take[] = [{ key: `${what}:${viewer.id}`, limit: fresh ? pauseNew : pause }];
  if (day) takes.push({ key: `${what}-day:${viewer.id}`, limit: day });
  await consumeRateLimits(tx, takes, now);
}

const minutesBefore = (now: Date, minutes: number) =>
  sql`${new Date(now.getTime() - minutes * 60_000).toISOString()}::timestamptz`;

async function lockPost(tx: Tx, id: string) {
  const { rows } = await tx.execute<{
    title: string;
    content: string;
    created_at: string;
    comment_count: number;
    author_id: string | null;
  }>(sql`
    select p.title, p.content, p.created_at, p.comment_count, u.new_auth_user_id as author_id
    from forum_posts p left join forum_users u on u.id = p.forum_user_id
    where p.id = ${id} and not p.is_hidden for no key update of p`);
  const row = rows[0] ?? fail('NOT_FOUND', { what: 'post' });
  return {
    title: row.title,
    content: row.content,
    commentCount: row.comment_count,
    authorId: row.author_id,
    createdAt: new Date(row.created_at),
  };
}

async function lockComment(tx: Tx, id: string) {
  // The post first: everybody who changes its counter locks in this order.
  const { rows } = await tx.execute<{
    post_id: string;
    content: string;
    created_at: string;
    user_id: string | null;
  }>(sql`
    with post as (select id from forum_posts where id = (select post_id from forum_comments where id = ${id}) for no key update)
    select c.post_id, c.content, c.created_at, c.user_id from forum_comments c join post on post.id = c.post_id
    where c.id = ${id} and not c.is_hidden for no key update of c`);
  const row = rows[0] ?? fail('NOT_FOUND', { what: 'comment' });
  return { postId: row.post_id, content: row.content, authorId: row.user_id, createdAt: new Date(row.created_at) };
}
