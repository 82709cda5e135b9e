import { z } from 'zod';
import { emojiType, postCategory } from '#contract/domains/forum.ts';
import { tokenKind } from '#contract/fields/schemas.ts';
import { QUOTE_SHOWN } from '#contract/limits.ts';
import {
  arrayOf,
  boolean,
  exactMoment,
  int4,
  json,
  oneOf,
  orNull,
  text,
  timestamptz,
  uuid,
} from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** Condition that the account of an author was deleted: a profile without one is either that, or an unclaimed legacy one. */
const leftBy = (ref: string) => `${ref} is null or (u.new_auth_user_id is null and u.migration_status = 'completed')`;

/** Null for a deleted account, 'User_' and 8 characters for an account without a profile. */
const usernameOf = (ref: string) =>
  `case when ${leftBy(ref)} then null else coalesce(u.username, 'User_' || left(${ref}::text, 8)) end`;

/**
 * Username, short id and staff mark of an author.
 *
 * @param ref column that refers to the author.
 */
const authorOf = (ref: string) =>
  `${usernameOf(ref)} as username,
    case when ${leftBy(ref)} then ''
      else coalesce(left(regexp_replace(coalesce(u.wallet_address, ${ref}::text), '^user_', ''), 8), '') end as "shortId",
    exists (select 1 from user_roles r where r.user_id = u.new_auth_user_id and r.role <> 'user') as staff`;

/**
 * Condition: hidden posts are excluded, except that one deleted by its author remains as a placeholder while it has comments of
 * others. The placeholder shows neither the post's text nor the comments (AMB-132, AMB-139).
 */
const VISIBLE = `(not p.is_hidden or (p.deleted_by = u.new_auth_user_id and p.comment_count > 0 and exists (
    select 1 from forum_comments a where a.post_id = p.id and not a.is_hidden and a.user_id is distinct from p.deleted_by)))`;
const VISIBLE_COMMENT = '(not c.is_hidden or c.deleted_by = c.user_id)';

const AUTHOR = { username: orNull(text), shortId: text, staff: boolean };
const POST_ROW = {
  id: uuid,
  title: text,
  content: orNull(text),
  createdAt: timestamptz,
  editedAt: orNull(timestamptz),
  /** Time of writing, to the microsecond. */
  at: text,
  commentCount: int4,
  ...AUTHOR,
  reactions: json(z.array(z.object({ emojiType, count: z.number() })).parse),
  category: oneOf(postCategory.options),
  tags: arrayOf(text),
  images: json(z.array(z.object({ url: z.string(), alt: z.string(), width: z.number(), height: z.number() })).parse),
  about: orNull(json(z.object({ kind: tokenKind, id: z.string() }).parse)),
};
const POST = `p.id, case when p.is_hidden then '' else p.title end as title,
  case when p.is_hidden then null else p.content end as content, p.created_at as "createdAt", p.edited_at as "editedAt",
  p.created_at::text as at, case when p.is_hidden then 0 else p.comment_count end as "commentCount", ${authorOf('p.forum_user_id')},
  coalesce((select json_agg(json_build_object('emojiType', r.emoji_type, 'count', r.reactions)
    order by array_position(array['like','love','laugh','wow','sad','angry'], r.emoji_type))
    from post_reaction_counts r where r.post_id = p.id and r.reactions > 0 and not p.is_hidden), '[]') as reactions,
  p.category, array(select t.tag from forum_post_tags t where t.post_id = p.id and not p.is_hidden order by t.tag) as tags,
  coalesce((select json_agg(json_build_object('url', i.url, 'alt', i.alt, 'width', i.width, 'height', i.height)
    order by i.position) from forum_post_images i where i.post_id = p.id and not p.is_hidden), '[]') as images,
  (select json_build_object('id', k.token_id, 'kind', case when k.project_id is not null then 'project'
      when k.candidate_id is not null then 'candidate' else 'next' end)
    from forum_post_tokens k where k.post_id = p.id and not p.is_hidden) as about`;
const POST_FROM = 'from forum_posts p left join forum_users u on u.id = p.forum_user_id';

const COMMENT_ROW = {
  id: uuid,
  postId: uuid,
  content: orNull(text),
  createdAt: timestamptz,
  editedAt: orNull(timestamptz),
  at: text,
  ...AUTHOR,
  quote: orNull(
    json(z.object({ id: z.string(), content: z.string().nullable(), username: z.string().nullable() }).parse),
  ),
};
/** The quoted comment: the beginning of its current text; null for a hidden one. */
const QUOTE = `(select json_build_object('id', q.id,
    'content', case when q.is_hidden then null else left(q.content, ${QUOTE_SHOWN}) end,
    'username', case when q.is_hidden then null else a.username end)
  from forum_quotes f join forum_comments q on q.id = f.quoted_id
  left join forum_users a on a.new_auth_user_id = q.user_id
  where f.comment_id = c.id and not c.is_hidden)`;
const COMMENT = `c.id, c.post_id as "postId", case when c.is_hidden then null else c.content end as content,
  c.created_at as "createdAt", c.edited_at as "editedAt", c.created_at::text as at, ${authorOf('c.user_id')},
  ${QUOTE} as quote`;
const COMMENT_FROM = 'from forum_comments c left join forum_users u on u.new_auth_user_id = c.user_id';

/** Condition for rows after a cursor, newest first. */
const after = (at: { at: string; id: string }, time: string, id: string) =>
  `${time} <= ${at.at} and (${time} < ${at.at} or ${id} > ${at.id})`;

const PLACE = { at: exactMoment, id: uuid };

/** A page of posts after a cursor, newest first. */
export const readPosts = statement({
  parameters: { ...PLACE, max: int4 },
  row: POST_ROW,
  text: (at) => `select ${POST} ${POST_FROM} where ${VISIBLE} and ${after(at, 'p.created_at', 'p.id')}
    order by p.created_at desc, p.id limit ${at.max}`,
});

/** The same, limited to one category. */
export const readPostsIn = statement({
  parameters: { category: text, ...PLACE, max: int4 },
  row: POST_ROW,
  text: (at) => `select ${POST} ${POST_FROM} where p.category = ${at.category} and ${VISIBLE}
    and ${after(at, 'p.created_at', 'p.id')} order by p.created_at desc, p.id limit ${at.max}`,
});

/** The same, limited to a tag, ignoring accents. The tags of a removed post are deleted. */
export const readPostsTagged = statement({
  parameters: { tag: text, ...PLACE, max: int4 },
  row: POST_ROW,
  text: (at) => `select ${POST} from forum_post_tags l join forum_posts p on p.id = l.post_id
    left join forum_users u on u.id = p.forum_user_id
    where l.normalized = florka_fold(${at.tag}) and not p.is_hidden and ${after(at, 'l.created_at', 'l.post_id')}
    order by l.created_at desc, l.post_id limit ${at.max}`,
});

/** The same, limited to a token; for a NEXT project including posts about the candidate that won its round. */
export const readPostsAbout = statement({
  parameters: { token: uuid, ...PLACE, max: int4 },
  row: POST_ROW,
  text: (at) => `
    with about as (
      select ${at.token} as id
      union select r.winner_candidate_id from next_projects n join voting_rounds r on r.id = n.voting_round_id
        where n.id = ${at.token} and r.winner_candidate_id is not null
    )
    select f.* from about cross join lateral (
      select ${POST} from forum_post_tokens l join forum_posts p on p.id = l.post_id
      left join forum_users u on u.id = p.forum_user_id
      where l.token_id = about.id and ${VISIBLE} and ${after(at, 'l.created_at', 'l.post_id')}
      order by l.created_at desc, l.post_id limit ${at.max}
    ) f order by f."createdAt" desc, f.id limit ${at.max}`,
});

/** The same, limited to one author, by the displayed name; removed accounts have none. */
export const readPostsBy = statement({
  parameters: { name: text, ...PLACE, max: int4 },
  row: POST_ROW,
  text: (at) => `select ${POST} from forum_users u join forum_posts p on p.forum_user_id = u.id
    where lower(u.username) = lower(${at.name})
      and (u.new_auth_user_id is not null or u.migration_status <> 'completed')
      and not p.is_hidden and ${after(at, 'p.created_at', 'p.id')}
    order by p.created_at desc, p.id limit ${at.max}`,
});

/** Number of newest posts, and of comments, that a search scans before it uses the full-text index. */
const NEAR = 1_000;

/**
 * The newest posts that contain these words, or whose comments do: at most `many`. Common words are found among the newest texts;
 * the full-text index is only used when those do not fill the page, and its result is then small.
 */
function postsWith(at: { at: string; id: string; searchTerms: string; max: string }): string {
  const match = `search @@ websearch_to_tsquery('spanish', florka_fold(${at.searchTerms}))`;
  const ofPosts = `from forum_posts where not is_hidden and ${after(at, 'created_at', 'id')}`;
  const underShown = 'exists (select 1 from forum_posts s where s.id = post_id and not s.is_hidden)';
  const ofComments = `from forum_comments where not is_hidden and ${after(at, 'post_created_at', 'post_id')}`;
  return `
    with near_posts as materialized (
      select id, created_at as at
      from (select id, created_at, search ${ofPosts} order by created_at desc, id limit ${NEAR}) newest
      where ${match} order by created_at desc, id limit ${at.max}
    ), near_comments as materialized (
      select distinct on (post_created_at, post_id) post_id as id, post_created_at as at
      from (select post_id, post_created_at, search ${ofComments} order by post_created_at desc, post_id limit ${NEAR}) newest
      where ${match} and ${underShown}
      order by post_created_at desc, post_id limit ${at.max}
    ), far_posts as materialized (
      select id, created_at as at ${ofPosts} and ${match} and (select count(*) from near_posts) < ${at.max}
    ), far_comments as materialized (
      select distinct post_id as id, post_created_at as at ${ofComments} and ${match} and ${underShown}
        and (select count(*) from near_comments) < ${at.max}
    )
    select id from (
      table near_posts union table near_comments union table far_posts union table far_comments
    ) found order by at desc, id limit ${at.max}`;
}

/** The same, limited to posts that contain these words, or whose comments do. */
export const searchPosts = statement({
  parameters: { ...PLACE, searchTerms: text, max: int4 },
  row: POST_ROW,
  text: (at) => `select ${POST} ${POST_FROM} where ${VISIBLE} and p.id in (${postsWith(at)})
    and ${after(at, 'p.created_at', 'p.id')} order by p.created_at desc, p.id limit ${at.max}`,
});

/** Characters read of a post for the excerpt of a result, more than it needs. */
const EXCERPT_SOURCE = 2_000;

/** The newest posts that contain these words, or whose comments do, with only what a list of results shows of each. */
export const readFoundPosts = statement({
  parameters: { searchTerms: text, max: int4 },
  row: {
    id: uuid,
    title: text,
    beginning: text,
    username: orNull(text),
    createdAt: timestamptz,
    commentCount: int4,
  },
  text: (at) => `select p.id, p.title, left(p.content, ${EXCERPT_SOURCE}) as beginning,
      ${usernameOf('p.forum_user_id')} as username, p.created_at as "createdAt", p.comment_count as "commentCount"
    ${POST_FROM} where not p.is_hidden
      and p.id in (${postsWith({ at: `'infinity'::timestamptz`, id: `'00000000-0000-0000-0000-000000000000'::uuid`, ...at })})
    order by p.created_at desc, p.id limit ${at.max}`,
});

export const readPost = statement({
  parameters: { id: uuid },
  row: POST_ROW,
  text: (at) => `select ${POST} ${POST_FROM} where ${VISIBLE} and p.id = ${at.id}`,
});

export const readComment = statement({
  parameters: { id: uuid },
  row: COMMENT_ROW,
  text: (at) => `select ${COMMENT} ${COMMENT_FROM} where not c.is_hidden and c.id = ${at.id}`,
});

/** The first comments of each of these posts, oldest first. */
export const readFirstComments = statement({
  parameters: { posts: arrayOf(uuid), max: int4 },
  row: COMMENT_ROW,
  text: (at) => `select f.* from unnest(${at.posts}) as wanted (id)
    cross join lateral (
      select ${COMMENT} ${COMMENT_FROM} where c.post_id = wanted.id and ${VISIBLE_COMMENT}
      order by c.created_at, c.id limit ${at.max}
    ) f`,
});

/** A page of the comments of a post after a cursor, oldest first. */
export const readComments = statement({
  parameters: { post: uuid, ...PLACE, max: int4 },
  row: COMMENT_ROW,
  text: (at) => `select ${COMMENT} ${COMMENT_FROM} where c.post_id = ${at.post} and ${VISIBLE_COMMENT}
      and c.created_at >= ${at.at} and (c.created_at > ${at.at} or c.id > ${at.id})
    order by c.created_at, c.id limit ${at.max}`,
});
