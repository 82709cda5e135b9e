import { ORPCError } from '@orpc/server';
import { and, eq, inArray } from 'drizzle-orm';
import { z } from 'zod';
import type { Comment, Post, PostCategory } from '#contract/domains/forum.ts';
import { COMMENTS_SHOWN } from '#contract/limits.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { forumUsers } from '#server/db/tables/accounts.ts';
import { forumComments, forumPosts, postReactions } from '#server/db/tables/forum.ts';
import { resolveRefs } from '#server/domains/saved/saved.service.ts';
import { singleFlight } from '#server/lib/concurrency/single-flight.ts';
import { fail } from '#server/lib/errors/fail.ts';
import {
  readComment,
  readComments,
  readFirstComments,
  readFoundPosts,
  readPost,
  readPosts,
  readPostsAbout,
  readPostsBy,
  readPostsIn,
  readPostsTagged,
  searchPosts,
} from './forum-reads.sql.ts';

type PostRow = Awaited<ReturnType<typeof readPost>>[number];
type CommentRow = Awaited<ReturnType<typeof readComment>>[number];

const commentOf = (row: CommentRow): Comment => ({
  id: row.id,
  postId: row.postId,
  content: row.content,
  createdAt: row.createdAt.toISOString(),
  editedAt: row.editedAt?.toISOString() ?? null,
  author: { username: row.username, shortId: row.shortId, staff: row.staff },
  quote: row.quote,
});

/** Cursor: time (PostgreSQL's microseconds as text) and id of the last row of a page. */
const position = z.tuple([
  z.string().regex(/^(19|20)\d\d-\d\d-\d\d ([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,6})?[+-](0\d|1[0-4])(:[0-5]\d)?$/),
  z.uuid(),
]);
const encode = (row: { at: string; id: string }) => Buffer.from(JSON.stringify([row.at, row.id])).toString('base64url');
function decode(cursor: string): { at: string; id: string } {
  try {
    const [at, id] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    // JavaScript would normalize an invalid calendar day to another one, and the database would refuse it.
    const day = at.slice(0, 10);
    if (new Date(day).toISOString().slice(0, 10) !== day) throw new Error('no such day');
    return { at, id };
  } catch {
    throw new ORPCError('BAD_REQUEST', { message: 'Unreadable cursor' });
  }
}

interface PostsInput {
  q?: string | undefined;
  about?: string | undefined;
  tag?: string | undefined;
  category?: PostCategory | undefined;
  by?: string | undefined;
  cursor?: string | null | undefined;
  limit: number;
}

/** Cursor of a first page. */
const NEWEST = { at: 'infinity', id: '00000000-0000-0000-0000-000000000000' };
const OLDEST = { ...NEWEST, at: '-infinity' };

/**
 * A page of posts, newest first, each with its first comments. With `q` only posts that contain these words, or whose comments do;
 * with one of the others only those about a token, with a tag, of a category, or by an author.
 *
 * @throws BAD_REQUEST for an invalid cursor.
 */
async function listPosts(db: Reader, input: PostsInput): Promise<{ items: Post[]; nextCursor: string | null }> {
  const after = input.cursor ? decode(input.cursor) : NEWEST;
  const max = input.limit + 1;
  const rows = await readSelected(db, input, { ...after, max });
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    items: await withComments(db, page),
    nextCursor: rows.length > input.limit && last ? encode(last) : null,
  };
}

function readSelected(
  db: Reader,
  { q, about, tag, category, by }: PostsInput,
  at: { at: string; id: string; max: number },
) {
  // Characters that cannot occur in stored texts find nothing, and the database rejects some of them.
  const searchTerms = cleanText(q ?? '', 'line');
  if (searchTerms) return searchPosts(db, { ...at, searchTerms });
  if (about) return readPostsAbout(db, { ...at, token: about });
  const label = cleanText(tag ?? '', 'line');
  if (label) return readPostsTagged(db, { ...at, tag: label });
  const author = cleanText(by ?? '', 'line');
  if (author) return readPostsBy(db, { ...at, name: author });
  return category ? readPostsIn(db, { ...at, category }) : readPosts(db, at);
}

/** What a list of results shows of a post. */
export interface FoundPost {
  id: string;
  title: string;
  /** The beginning of its text, as typed. */
  beginning: string;
  /** Null for a deleted account. */
  username: string | null;
  createdAt: Date;
  commentCount: number;
}

/** The newest posts, at most `max`, that contain these terms, or whose comments do; terms that cannot occur find none. */
export async function findPosts(db: Reader, terms: string, max: number): Promise<FoundPost[]> {
  const searchTerms = cleanText(terms, 'line');
  return searchTerms ? await readFoundPosts(db, { searchTerms, max }) : [];
}

/** @throws NOT_FOUND when there is no visible post with this id. */
export async function findPost(db: Reader, id: string): Promise<Post> {
  const [post] = await withComments(db, await readPost(db, { id }));
  return post ?? fail('NOT_FOUND', { what: 'post' });
}

/** @throws NOT_FOUND when there is no visible comment with this id. */
export async function findComment(db: Reader, id: string): Promise<Comment> {
  const [row] = await readComment(db, { id });
  return row ? commentOf(row) : fail('NOT_FOUND', { what: 'comment' });
}

async function withComments(db: Reader, posts: PostRow[]): Promise<Post[]> {
  if (posts.length === 0) return [];
  const rows = await readFirstComments(db, {
    posts: posts.filter(({ content }) => content !== null).map(({ id }) => id),
    max: COMMENTS_SHOWN + 1,
  });
  const tokens = await resolveRefs(
    db,
    posts.flatMap(({ about }) => about ?? []),
  );
  return posts.map((row) => {
    const all = rows.filter((comment) => comment.postId === row.id);
    const shown = all.slice(0, COMMENTS_SHOWN);
    const last = shown.at(-1);
    return {
      id: row.id,
      title: row.title,
      content: row.content,
      createdAt: row.createdAt.toISOString(),
      editedAt: row.editedAt?.toISOString() ?? null,
      author: { username: row.username, shortId: row.shortId, staff: row.staff },
      category: row.category,
      tags: [...row.tags],
      about: tokens.find(({ kind, id }) => kind === row.about?.kind && id === row.about.id) ?? null,
      images: row.images,
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
  const after = input.cursor ? decode(input.cursor) : OLDEST;
  const seen = await db
    .select({ id: forumPosts.id })
    .from(forumPosts)
    .where(and(eq(forumPosts.id, input.postId), eq(forumPosts.isHidden, false)));
  if (seen.length === 0) fail('NOT_FOUND', { what: 'post' });
  const rows = await readComments(db, { post: input.postId, ...after, max: input.limit + 1 });
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return { items: page.map(commentOf), nextCursor: rows.length > input.limit && last ? encode(last) : null };
}

interface ConcurrentReads {
  posts: (input: Parameters<typeof listPosts>[1]) => ReturnType<typeof listPosts>;
  post: (id: string) => Promise<Post>;
  comments: (input: Parameters<typeof listComments>[1]) => ReturnType<typeof listComments>;
}
const concurrentReads = new WeakMap<Db, ConcurrentReads>();

/**
 * Single-flight reads that are the same for everyone: when a comment is published, every open screen reads its post at the same
 * time.
 */
export function concurrentReadsOf(db: Db): ConcurrentReads {
  const reads = concurrentReads.get(db) ?? {
    posts: singleFlight((input) => listPosts(db, input)),
    post: singleFlight((id) => findPost(db, id)),
    comments: singleFlight((input) => listComments(db, input)),
  };
  concurrentReads.set(db, reads);
  return reads;
}

/** State of these posts that is specific to a member. */
export async function minePosts(db: Reader, userId: string, postIds: string[]) {
  const [reactions, posts, comments] = await Promise.all([
    db
      .select({ postId: postReactions.postId, emojiType: postReactions.emojiType })
      .from(postReactions)
      .where(and(eq(postReactions.userId, userId), inArray(postReactions.postId, postIds))),
    db
      .select({ id: forumPosts.id })
      .from(forumPosts)
      .innerJoin(forumUsers, eq(forumUsers.id, forumPosts.forumUserId))
      .where(
        and(inArray(forumPosts.id, postIds), eq(forumUsers.newAuthUserId, userId), eq(forumPosts.isHidden, false)),
      ),
    db
      .select({ id: forumComments.id })
      .from(forumComments)
      .where(
        and(
          eq(forumComments.userId, userId),
          inArray(forumComments.postId, postIds),
          eq(forumComments.isHidden, false),
        ),
      ),
  ]);
  return { reactions, posts: posts.map(({ id }) => id), comments: comments.map(({ id }) => id) };
}
