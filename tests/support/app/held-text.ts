import type { TestApp } from './test-app.ts';

/** Holds a post or comment of a member for review, as if it had been written while reviews were on. */
export async function holdText(app: Pick<TestApp, 'sql'>, what: 'post' | 'comment', id: string): Promise<string> {
  await app.sql(`update forum_${what}s set is_hidden = true where id = $1`, [id]);
  await app.sql(
    what === 'post'
      ? `insert into forum_reviews (text_id, what, post_id, author_id, why, links, since)
         select p.id, 'post', p.id, f.new_auth_user_id, 'first', false, now()
         from forum_posts p join forum_users f on f.id = p.forum_user_id where p.id = $1`
      : `insert into forum_reviews (text_id, what, comment_id, author_id, why, links, since)
         select id, 'comment', id, user_id, 'first', false, now() from forum_comments where id = $1`,
    [id],
  );
  return id;
}
