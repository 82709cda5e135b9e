import { boolean, int4, text } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

const records = (place: string, table: string, column: string, like: string, max: string) =>
  `(select '${place}' as place, id::text as record from ${table} where ${column} like florka_fold(${like}) limit ${max})`;

/**
 * Names of images that match the search: shown by a record or post with such a name, uploaded by such a member, or with such a
 * prefix of their own name. The number of matches per kind is limited. Mailboxes of members are searched with `byMailbox` only: a reader
 * who may not see them could find one out character by character.
 */
export const findImageNames = statement({
  parameters: { like: text, begins: text, byMailbox: boolean, max: int4 },
  row: { name: text },
  text: (at) => `
    with named as (
      ${[
        records('project', 'projects', 'search', at.like, at.max),
        records('candidate', 'voting_candidates', 'search', at.like, at.max),
        records('next_project', 'next_projects', 'search', at.like, at.max),
        records('news', 'news', 'search', at.like, at.max),
        records('post', 'forum_posts', 'florka_fold(title)', at.like, at.max),
      ].join(' union all ')}
    ), senders as (
      (select id from users where ${at.byMailbox} and email like lower(${at.like}) limit ${at.max})
      union (select new_auth_user_id from forum_users
        where new_auth_user_id is not null and florka_fold(username) like florka_fold(${at.like}) limit ${at.max})
    ), sent as (
      select m.name from media m join senders s on s.id = m.owner_user_id where m.deleted_at is null
      order by m.created_at desc limit ${at.max}
    )
    select u.name from named n join media_uses u on u.place = n.place and u.record = n.record
    union select name from sent
    union (select name from media where name collate "C" like ${at.begins} and deleted_at is null limit ${at.max})`,
});
