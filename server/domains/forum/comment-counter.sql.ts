import { orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** A visible comment, locked after its post, in the lock order of all writers of the post's counter. */
export const lockCommentUnderPost = statement({
  parameters: { id: uuid },
  row: { postId: uuid, content: text, createdAt: timestamptz, authorId: orNull(uuid) },
  text: (at) => `
    with post as (select id from forum_posts where id = (select post_id from forum_comments where id = ${at.id}) for no key update)
    select c.post_id as "postId", c.content, c.created_at as "createdAt", c.user_id as "authorId"
    from forum_comments c join post on post.id = c.post_id
    where c.id = ${at.id} and not c.is_hidden for no key update of c`,
});
