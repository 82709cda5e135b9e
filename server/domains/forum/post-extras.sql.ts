import { NAMES_SUGGESTED, TAGS_SUGGESTED } from '#contract/limits.ts';
import { text, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** Number of newest rows that are scanned for tags. */
const RECENT_TAGS = 2_000;
/** Limit of usernames with the prefix that are checked for a visible text. */
const NAMES_LOOKED_AT = 100;

/** Tags of the newest visible posts, most used first. */
export const readRecentTags = statement({
  parameters: {},
  row: { tag: text },
  text: () => `select min(tag) as tag from (
      select l.tag, l.normalized from forum_post_tags l join forum_posts p on p.id = l.post_id
      where not p.is_hidden order by l.created_at desc limit ${RECENT_TAGS}
    ) newest group by normalized order by count(*) desc, normalized limit ${TAGS_SUGGESTED}`,
});

/**
 * Usernames with this prefix (a LIKE pattern) of members with a visible post or comment; excludes blocks in either direction with
 * the caller.
 */
export const readNamesLike = statement({
  parameters: { pattern: text, caller: uuid },
  row: { name: text },
  text: (at) => `
    with named as (
      select id, username, new_auth_user_id from forum_users
      where search like florka_fold(${at.pattern}) and new_auth_user_id is not null limit ${NAMES_LOOKED_AT}
    )
    select u.username as name from named u
    where not exists (select 1 from member_restrictions x where x.level = 'block'
        and (x.member_id, x.other_id) in ((u.new_auth_user_id, ${at.caller}), (${at.caller}, u.new_auth_user_id)))
      and (exists (select 1 from forum_posts p where p.forum_user_id = u.id and not p.is_hidden)
      or exists (select 1 from forum_comments c join forum_posts s on s.id = c.post_id and not s.is_hidden
        where c.user_id = u.new_auth_user_id and not c.is_hidden))
    order by length(u.username), u.username limit ${NAMES_SUGGESTED}`,
});
