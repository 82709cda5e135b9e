import { uuid } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';

/** Locks the totals of the reactions that a member made, in the common lock order. */
export const lockReactionCounts = statement({
  parameters: { member: uuid },
  row: { postId: uuid },
  text: (at) => `
    select post_id as "postId" from post_reaction_counts
    where (post_id, emoji_type) in (select post_id, emoji_type from post_reactions where user_id = ${at.member})
    order by post_id, emoji_type for update`,
});

/** Deletes the reactions of a member, and subtracts them from their totals. */
export const withdrawReactions = command({
  parameters: { member: uuid },
  text: (at) => `
    with gone as (delete from post_reactions where user_id = ${at.member} returning post_id, emoji_type)
    update post_reaction_counts c set reactions = c.reactions - 1 from gone g
    where c.post_id = g.post_id and c.emoji_type = g.emoji_type`,
});
