import { desc, eq } from 'drizzle-orm';
import { cleanText } from '#contract/text/clean-text.ts';
import { mentionOf } from '#contract/text/mention.ts';
import type { Reader } from '#server/db/client.ts';
import { forumComments, forumEdits, forumPosts } from '#server/db/tables/forum.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { isModerator } from './forum.policy.ts';
import { readNamesLike, readRecentTags } from './post-extras.sql.ts';
import type { Writer } from './writer.ts';

/** Tags of the newest posts, most used first. */
export async function recentTags(db: Reader): Promise<{ tags: string[] }> {
  return { tags: (await readRecentTags(db, {})).map(({ tag }) => tag) };
}

/**
 * Usernames for a mention, by prefix, ignoring accents; excludes members who blocked the caller, or whom the caller blocked, and names
 * that no text can mention.
 */
export async function namesLike(db: Reader, caller: string, beginning: string): Promise<{ names: string[] }> {
  const begin = cleanText(beginning, 'line').replace(/[\\%_]/g, '\\$&');
  if (!begin) return { names: [] };
  const found = await readNamesLike(db, { pattern: `${begin}%`, caller });
  return { names: found.map(({ name }) => name).filter((name) => mentionOf(name) !== null) };
}

/** Edits of a text in one response; within the 15 minutes for editing there are hardly more. */
const EDITS_SHOWN = 100;

/**
 * Earlier versions of a post or comment, newest first; also of a hidden one, which moderators may restore.
 *
 * @throws FORBIDDEN for members who are not moderators, SECOND_FACTOR_REQUIRED, NOT_FOUND
 */
export async function editsOf(
  db: Reader,
  { viewer, missingRequirement }: Writer,
  { what, id }: { what: 'post' | 'comment'; id: string },
): Promise<{ versions: { title: string | null; content: string; replacedAt: string }[] }> {
  if (!isModerator(viewer)) fail('FORBIDDEN');
  if (missingRequirement) fail(missingRequirement);
  const texts = what === 'post' ? forumPosts : forumComments;
  const there = await db.select({ id: texts.id }).from(texts).where(eq(texts.id, id));
  if (there.length === 0) fail('NOT_FOUND', { what });
  const rows = await db
    .select({ title: forumEdits.title, content: forumEdits.content, replacedAt: forumEdits.replacedAt })
    .from(forumEdits)
    .where(eq(what === 'post' ? forumEdits.postId : forumEdits.commentId, id))
    .orderBy(desc(forumEdits.replacedAt))
    .limit(EDITS_SHOWN);
  return { versions: rows.map((row) => ({ ...row, replacedAt: row.replacedAt.toISOString() })) };
}
