import { ORPCError } from '@orpc/server';
import { and, eq, isNull } from 'drizzle-orm';
import type { PostCategory } from '#contract/domains/forum.ts';
import type { TokenKind } from '#contract/fields/schemas.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Tx } from '#server/db/client.ts';
import {
  forumComments,
  forumPostImages,
  forumPostTags,
  forumPostTokens,
  forumQuotes,
} from '#server/db/tables/forum.ts';
import { media } from '#server/db/tables/media.ts';
import { markImageUsed } from '#server/domains/media/media.service.ts';
import { resolveRefs } from '#server/domains/saved/saved.service.ts';
import { fail } from '#server/lib/errors/fail.ts';

/** Metadata of a post: token, tags and images. */
export interface PostLabels {
  category: PostCategory;
  /** In lower case. */
  tags: string[];
  about?: { kind: TokenKind; id: string } | undefined;
  /** The author's uploads, in display order. */
  images: { url: string; alt: string }[];
}

const TOKEN_FIELD = { project: 'projectId', candidate: 'candidateId', next: 'nextProjectId' } as const;

/** The name of an image in the URL that an upload returns. */
const IMAGE_URL = /^\/media\/([0-9a-f]{32})\.webp$/;

/**
 * Stores the token, tags and images of a new post, in the transaction that publishes it.
 *
 * @throws NOT_FOUND when the token is not public, or an image is not an upload of the author for the forum.
 * @throws BAD_REQUEST for an image that another post already shows.
 */
export async function labelPost(
  tx: Tx,
  post: { postId: string; authorId: string; now: Date },
  { tags = [], about, images = [] }: Partial<PostLabels>,
): Promise<void> {
  const { postId, now } = post;
  if (about) {
    if ((await resolveRefs(tx, [about])).length === 0) fail('NOT_FOUND', { what: 'token' });
    await tx.insert(forumPostTokens).values({ postId, [TOKEN_FIELD[about.kind]]: about.id, createdAt: now });
  }
  await addTags(tx, { postId, createdAt: now }, tags);
  for (const [position, image] of images.entries()) await attach(tx, post, position, image);
}

async function addTags(tx: Tx, post: { postId: string; createdAt: Date }, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return;
  await tx
    .insert(forumPostTags)
    .values(tags.map((tag) => ({ ...post, tag })))
    // Tags that differ only in accents are the same.
    .onConflictDoNothing();
}

/**
 * Replaces the tags of a post.
 *
 * @param post with its time of writing, which orders the lists of a tag.
 * @returns the previous tags.
 */
export async function replaceTags(
  tx: Tx,
  post: { postId: string; createdAt: Date },
  tags: readonly string[],
): Promise<string[]> {
  const former = await tx
    .delete(forumPostTags)
    .where(eq(forumPostTags.postId, post.postId))
    .returning({ tag: forumPostTags.tag });
  await addTags(tx, post, tags);
  return former.map(({ tag }) => tag).sort();
}

async function attach(
  tx: Tx,
  { postId, authorId, now }: { postId: string; authorId: string; now: Date },
  position: number,
  { url, alt }: { url: string; alt: string },
): Promise<void> {
  const name = IMAGE_URL.exec(url)?.[1] ?? fail('NOT_FOUND', { what: 'image' });
  const [image] = await tx
    .select({ width: media.width, height: media.height })
    .from(media)
    .where(and(eq(media.name, name), eq(media.bucket, 'forum-images'), isNull(media.deletedAt)));
  if (!image) return fail('NOT_FOUND', { what: 'image' });
  await markImageUsed(tx, url, { userId: authorId }, now);
  const { rowCount } = await tx
    .insert(forumPostImages)
    .values({ postId, position, url, alt: cleanText(alt, 'line'), ...image })
    .onConflictDoNothing();
  if (!rowCount) throw new ORPCError('BAD_REQUEST', { message: 'The image belongs to another post' });
}

/** Deletes the images of a post permanently: a trigger releases the uploads, whose URLs are then no longer served. */
export async function dropImages(tx: Tx, postId: string): Promise<void> {
  await tx.delete(forumPostImages).where(eq(forumPostImages.postId, postId));
}

/** Stores which comment a new one answers. @throws NOT_FOUND when it is not a visible comment of the same post. */
export async function quoteComment(
  tx: Tx,
  { commentId, postId, quotedId }: { commentId: string; postId: string; quotedId: string },
): Promise<void> {
  const quoted = await tx
    .select({ id: forumComments.id })
    .from(forumComments)
    .where(and(eq(forumComments.id, quotedId), eq(forumComments.postId, postId), eq(forumComments.isHidden, false)));
  if (quoted.length === 0) fail('NOT_FOUND', { what: 'comment' });
  await tx.insert(forumQuotes).values({ commentId, quotedId });
}
