import { ORPCError } from '@orpc/server';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Comment, EmojiType, Post } from '#contract/forum.ts';
import { COMMENTS_SHOWN } from '#contract/limits.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { fail } from '#server/lib/fail.ts';
import { singleFlight } from '#server/lib/single-flight.ts';

/**
 * Username and short id of an author: nothing of a deleted account, 'User_' and 8 characters of one whose profile got lost.
 * A profile without an account is either a legacy one that nobody claimed yet, or of somebody who left.
 *
 * @param ref column that points to the author.
 */
const authorOf = (ref: string) => {
  const left = `${ref} is null or (u.new_auth_user_id is null and u.migration_status = 'completed')`;
  return sql.raw(`case when ${left} then null else coalesce(u.username, 'User_' || left(${ref}::text, 8)) end as username,
    case when ${left} then ''
      else left(regexp_replace(coalesce(u.wallet_address, ${ref}::text), '^user_', ''), 8) end as "shortId"`);
};

/**
 * Hidden posts are gone, except that an author's own deletion leaves a place while others have answered. The place holds
 * neither the post's words nor the answers (AMB-132, AMB-139).
 */
const VISIBLE = sql.raw(`(not p.is_hidden or (p.deleted_by = u.new_auth_user_id and p.comment_count > 0))`);
const VISIBLE_COMMENT = sql.raw('(not c.is_hidden or c.deleted_by = c.user_id)');

const POST = sql`p.id, case when p.is_hidden then '' else p.title end as title,
  case when p.is_hidden then null else p.content end as content, p.created_at as "createdAt", p.edited_at as "editedAt",
  p.created_at::text as at, case when p.is_hidden then 0 else p.comment_count end as "commentCount", ${authorOf('p.forum_user_id')},
  coalesce((select json_agg(json_build_object('emojiType', r.emoji_type, 'count', r.reactions)
    order by array_position(array['like','love','laugh','wow','sad','angry'], r.emoji_type))
    from post_reaction_counts r where r.post_id = p.id and r.reactions > 0 and not p.is_hidden), '[]') as reactions`;
const COMMENT = sql`c.id, c.post_id as "postId", case when c.is_hidden then null else c.content end as content,
  c.created_at as "createdAt", c.edited_at as "editedAt", c.created_at::text as at, ${authorOf('c.user_id')}`;
const POST_FROM = sql.raw('from forum_posts p left join forum_users u on u.id = p.forum_user_id');
const COMMENT_FROM = sql.raw('from forum_comments c left join forum_users u on u.new_auth_user_id = c.user_id');

interface Written extends Record<string, unknown> {
  id: string;
  content: string | null;
  createdAt: string;
  editedAt: string | null;
  at: string;
  username: string | null;
  shortId: string;
}
type PostRow = Written & { title: string; commentCount: number; reactions: { emojiType: EmojiType; count: number }[] };
type CommentRow = Written & { postId: string };

const iso = (at: string | null) => (at ? new Date(at).toISOString() : null);
const commentOf = (row: CommentRow): Comment => ({
  id: row.id,
  postId: row.postId,
  content: row.content,
  createdAt: new Date(row.createdAt).toISOString(),
  editedAt: iso(row.editedAt),
  author: { username: row.username, shortId: row.shortId },
});

/** Time (PostgreSQL's microseconds as text) and id of the last row of a page. */
const position = z.tuple([
  z.string().regex(/^(19|20)\d\d-\d\d-\d\d ([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,6})?[+-](0\d|1[0-4])(:[0-5]\d)?$/),
  z.uuid(),
]);
const encode = (row: Written) => Buffer.from(JSON.stringify([row.at, row.id])).toString('base64url');
function decode(cursor: string): z.infer<typeof position> {
  try {
    const [at, id] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    // A day that no calendar has would be read as another one here and refused by the database.
    const day = at.slice(0, 10);
    if (new Date(day).toISOString().slice(0, 10) !== day) throw new Error('no such day');
    return [at, id];
  } catch {
    throw new ORPCError('BAD_REQUEST', { message: 'Unreadable cursor' });
  }
}

/**
 * A page of posts, newest first, each with its first comments. With `q` only posts that hold these words, or whose
 * comments do.
 *
 * @throws BAD_REQUEST when the cursor is not one of ours.
 */
async function listPosts(
  db: Reader,
  input: { q?: string; cursor?: string | null; limit: number },
): Promise<{ items: Post[]; nextCursor: string | null }> {
  const from = input.cursor ? decode(input.cursor) : null;
  /** Behind the cursor, for a row with the time and id of a post. */
  const after = (at: SQL, id: SQL) =>
    from
      ? sql`and ${at} <= ${from[0]}::timestamptz and (${at} < ${from[0]}::timestamptz or ${id} > ${from[1]}::uuid)`
      : sql``;
  const many = input.limit + 1;
  // Signs that no text of ours holds find nothing, and the database refuses some of them.
  const searchTerms = cleanText(input.q ?? '', 'line');
  const found = searchTerms ? sql`and p.id in (${postsWith(searchTerms, after, many)})` : sql``;
  const { rows } = await db.execute<PostRow>(sql`
    select ${POST} ${POST_FROM} where ${VISIBLE} ${found} ${after(sql`p.created_at`, sql`p.id`)}
    order by p.created_at desc, p.id limit ${many}`);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    items: await withComments(db, page),
    nextCursor: rows.length > input.limit && last ? encode(last) : null,
  };
}

/** Posts, and comments, that a search looks through from the newest one before it asks the index of words. */
const NEAR = 1_000;

/**
 * The newest posts that hold these words, or whose comments do: at most `many`. Common words are found among the newest
 * texts; only when those do not fill the page is the index of words asked, whose answer is then short.
 */
function postsWith(searchTerms: string, after: (at: SQL, id: SQL) => SQL, many: number): SQL {
  const match = sql`search @@ websearch_to_tsquery('spanish', florka_fold(${searchTerms}))`;
  const ofPosts = sql`from forum_posts where not is_hidden ${after(sql`created_at`, sql`id`)}`;
  const underShown = sql`exists (select 1 from forum_posts s where s.id = post_id and not s.is_hidden)`;
  const ofComments = sql`from forum_comments where not is_hidden ${after(sql`post_created_at`, sql`post_id`)}`;
  return sql`
    with near_posts as materialized (
      select id, created_at as at
      from (select id, created_at, search ${ofPosts} order by created_at desc, id limit ${NEAR}) newest
      where ${match} order by created_at desc, id limit ${many}
    ), near_comments as materialized (
      select distinct on (post_created_at, post_id) post_id as id, post_created_at as at
      from (select post_id, post_created_at, search ${ofComments} order by post_created_at desc, post_id limit ${NEAR}) newest
      where ${match} and ${underShown}
      order by post_created_at desc, post_id limit ${many}
    ), far_posts as materialized (
      select id, created_at as at ${ofPosts} and ${match} and (select count(*) from near_posts) < ${many}
    ), far_comments as materialized (
      select distinct post_id as id, post_created_at as at ${ofComments} and ${match} and ${underShown}
        and (select count(*) from near_comments) < ${many}
    )
    select id from (
      table near_posts union table near_comments union table far_posts union table far_comments
    ) found order by at desc, id limit ${many}`;
}

/** @throws NOT_FOUND when there is no visible post of this id. */
export async function findPost(db: Reader, id: string): Promise<Post> {
  const { rows } = await db.execute<PostRow>(sql`select ${POST} ${POST_FROM} where ${VISIBLE} and p.id = ${id}`);
  const [post] = await withComments(db, rows);
  return post ?? fail('NOT_FOUND', { what: 'post' });
}

/** @throws NOT_FOUND when there is no visible comment of this id. */
export async function findComment(db: Reader, id: string): Promise<Comment> {
  const { rows } = await db.execute<CommentRow>(
    sql`select ${COMMENT} ${COMMENT_FROM} where not c.is_hidden and c.id = ${id}`,
  );
  return rows[0] ? commentOf(rows[0]) : fail('NOT_FOUND', { what: 'comment' });
}

async function withComments(db: Reader, posts: PostRow[]): Promise<Post[]> {
  if (posts.length === 0) return [];
  const ids = sql`${sql.param(posts.filter(({ content }) => content !== null).map(({ id }) => id))}::uuid[]`;
  const { rows } = await db.execute<CommentRow>(sql`
    select f.* from unnest(${ids}) as wanted (id)
    cross join lateral (
      select ${COMMENT} ${COMMENT_FROM} where c.post_id = wanted.id and ${VISIBLE_COMMENT}
      order by c.created_at, c.id limit ${COMMENTS_SHOWN + 1}
    ) f`);
  return posts.map((row) => {
    const all = rows.filter((comment) => comment.postId === row.id);
    const shown = all.slice(0, COMMENTS_SHOWN);
    const last = shown.at(-1);
    return {
      id: row.id,
      title: row.title,
      content: row.content,
      createdAt: new Date(row.createdAt).toISOString(),
      editedAt: iso(row.editedAt),
      author: { username: row.username, shortId: row.shortId },
      reactions: row.reactions,
      commentCount: row.commentCount,
      comments: shown.map(commentOf),
      commentsCursor: all.length > COMMENTS_SHOWN && last ? encode(last) : null,
    };
  });
}

/**
 * Comments of a post, oldest first.
 *
 * @throws NOT_FOUND when the post was removed.
 */
async function listComments(
  db: Reader,
  input: { postId: string; cursor?: string | null; limit: number },
): Promise<{ items: Comment[]; nextCursor: string | null }> {
  const from = input.cursor ? decode(input.cursor) : null;
  const seen = await db.execute(sql`select 1 from forum_posts where id = ${input.postId} and not is_hidden`);
  if (seen.rows.length === 0) fail('NOT_FOUND', { what: 'post' });
  const after: SQL = from
    ? sql`and c.created_at >= ${from[0]}::timestamptz and (c.created_at > ${from[0]}::timestamptz or c.id > ${from[1]}::uuid)`
    : sql``;
  const { rows } = await db.execute<CommentRow>(sql`
    select ${COMMENT} ${COMMENT_FROM} where c.post_id = ${input.postId} and ${VISIBLE_COMMENT} ${after}
    order by c.created_at, c.id limit ${input.limit + 1}`);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return { items: page.map(commentOf), nextCursor: rows.length > input.limit && last ? encode(last) : null };
}

interface ConcurrentReads {
  posts: (input: Parameters<typeof listPosts>[1]) => ReturnType<typeof listPosts>;
  post: (id: string) => Promise<Post>;
  comments: (input: Parameters<typeof listComments>[1]) => ReturnType<typeof listComments>;
}
const concurrent = new WeakMap<Db, ConcurrentReads>();

/** The reads that are the same for everybody: when a comment arrives, every open screen asks for its post at once. */
export function readsForAll(db: Db): ConcurrentReads {
  const reads = concurrent.get(db) ?? {
    posts: singleFlight((input) => listPosts(db, input)),
    post: singleFlight((id) => findPost(db, id)),
    comments: singleFlight((input) => listComments(db, input)),
  };
  concurrent.set(db, reads);
  return reads;
}

/** What among these posts is a member's own. */
export async function minePosts(db: Reader, userId: string, postIds: string[]) {
  const ids = sql`${sql.param(postIds)}::uuid[]`;
  const [reactions, posts, comments] = await Promise.all([
    db.execute<{ postId: string; emojiType: EmojiType }>(
      sql`select post_id as "postId", emoji_type as "emojiType" from post_reactions where user_id = ${userId} and post_id = any(${ids})`,
    ),
    db.execute<{ id: string }>(
      sql`select p.id ${POST_FROM} where p.id = any(${ids}) and u.new_auth_user_id = ${userId} and not p.is_hidden`,
    ),
    db.execute<{ id: string }>(
      sql`select id from forum_comments where user_id = ${userId} and post_id = any(${ids}) and not is_hidden`,
    ),
  ]);
  return {
    reactions: reactions.rows.map(({ postId, emojiType }) => ({ postId, emojiType })),
    posts: posts.rows.map((row) => row.id),
    comments: comments.rows.map((row) => row.id),
  };
}
