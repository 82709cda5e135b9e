import { sql } from 'drizzle-orm';
import type { EmojiType } from '#contract/forum.ts';
import type { Db } from '#server/db/client.ts';
import { notifyOfReaction } from '#server/domains/notifications/notify.service.ts';
import { fail } from '#server/lib/fail.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { publish } from '#server/live/publish.ts';

/**
 * Sets whether a member reacts to a post with an emoji. The wish is absolute, so repeated and crossing requests end as the
 * last one says. Not audited one by one: the row itself says who and when.
 *
 * @returns the post's count of that emoji.
 * @throws NOT_FOUND when the post is not visible. @throws FORBIDDEN without a forum profile.
 */
export async function setReaction(
  db: Db,
  viewer: Viewer,
  input: { postId: string; emojiType: EmojiType; on: boolean },
  now: Date,
): Promise<number> {
  if (!viewer.isForumUser) fail('FORBIDDEN');
  const { postId, emojiType, on } = input;
  return db.transaction(async (tx) => {
    const post = await tx.execute(sql`select 1 from forum_posts where id = ${postId} and not is_hidden for key share`);
    if (post.rows.length === 0) fail('NOT_FOUND', { what: 'post' });
    // The counter's row first, as the lock for everybody who reacts here with this emoji.
    await tx.execute(sql`insert into post_reaction_counts (post_id, emoji_type, reactions) values (${postId}, ${emojiType}, 0)
      on conflict (post_id, emoji_type) do update set reactions = post_reaction_counts.reactions`);
    const { rowCount } = on
      ? await tx.execute(sql`insert into post_reactions (post_id, user_id, emoji_type, created_at)
          values (${postId}, ${viewer.id}, ${emojiType}, ${now.toISOString()}) on conflict do nothing`)
      : await tx.execute(
          sql`delete from post_reactions where post_id = ${postId} and user_id = ${viewer.id} and emoji_type = ${emojiType}`,
        );
    const step = rowCount ? (on ? 1 : -1) : 0;
    const { rows } = await tx.execute<{ reactions: number }>(sql`
      update post_reaction_counts set reactions = reactions + ${step}
      where post_id = ${postId} and emoji_type = ${emojiType} returning reactions`);
    if (step !== 0) await publish(tx, { type: 'post.changed', postId });
    if (step > 0) await notifyOfReaction(tx, { postId, actorId: viewer.id, now });
    return rows[0]?.reactions ?? 0;
  });
}
