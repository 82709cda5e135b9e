import { int4, text } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

const records = (place: string, table: string, words: string, like: string, most: string) =>
  `(select '${place}' as place, id::text as record from ${table} where ${words} like florka_fold(${like}) limit ${most})`;

/**
 * Names of images that match the search: shown by a record or post with such a name, uploaded by such a member, or with such a
 * prefix of their own name. The number of matches per kind is limited.
 */
export const findImageNames = statement({
  parameters: { like: text, begins: text, most: int4 },
  row: { name: text },
  text: (at) => `
    with named as (
      ${[
        records('project', 'projects', 'search', at.like, at.most),
        records('candidate', 'voting_candidates', 'search', at.like, at.most),
        records('next_project', 'next_projects', 'search', at.like, at.most),
        records('news', 'news', 'search', at.like, at.most),
        records('post', 'forum_posts', 'florka_fold(title)', at.like, at.most),
      ].join(' union all ')}
    ), senders as (
      (select id from users where email like lower(${at.like}) limit ${at.most})
      union (select new_auth_user_id from forum_users
        where new_auth_user_id is not null and florka_fold(username) like florka_fold(${at.like}) limit ${at.most})
    ), sent as (
      select m.name from media m join senders s on s.id = m.owner_user_id where m.deleted_at is null
      order by m.created_at desc limit ${at.most}
    )
    select u.name from named n join media_uses u on u.place = n.place and u.record = n.record
    union select name from sent
    union (select name from media where name collate "C" like ${at.begins} and deleted_at is null limit ${at.most})`,
});
