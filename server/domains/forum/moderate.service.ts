import { type SQL, sql } from 'drizzle-orm';
import type { BulkOutcome } from '#contract/admin/bulk.ts';
import type { ForumDebug, ForumStats, ModeratedText } from '#contract/admin/forum.ts';
import { DEBUG_ROWS, MANY_FOUND } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { audit } from '#server/lib/audit.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { fail } from '#server/lib/fail.ts';
import { publish } from '#server/live/publish.ts';
import { forEachRecord } from '#server/records/bulk.ts';
import { along, iso, isoOrNull, normalizedContains, readPage, type Terms } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import type { Trash } from '#server/records/trash.ts';

export const COMMENT_TRASH: Trash = { table: 'forum_comments', show: ['postId'] };

export const POST_TRASH: Trash = {
  table: 'forum_posts',
  show: ['title'],
  keep: 'exists (select 1 from forum_comments c where c.post_id = t.id and not c.is_hidden)',
};

type What = ModeratedText['what'];
type Shelf = 'all' | 'shown' | 'hidden' | 'reported';

/** The four counts of the forum, as one row. */
export async function forumStats(db: Reader): Promise<ForumStats> {
  const { rows } = await db.execute<ForumStats & Record<string, unknown>>(sql`select
    (select count(*)::int from forum_users) as "totalUsers",
    (select count(*)::int from forum_posts where not is_hidden) as "totalPosts",
    (select count(*)::int from user_roles where role = 'moderator' and moderator_request_status = 'approved') as "totalModerators",
    (select count(*)::int from user_roles where moderator_request_status = 'pending') as "pendingModeratorRequests"`);
  return rows[0] ?? fail('NOT_FOUND', { what: 'stats' });
}

/** What the debug panel shows: the counts, and the newest ten profiles and ten roles. No e-mails. */
export async function forumDebug(db: Reader): Promise<ForumDebug> {
  const [stats, users, roles] = await Promise.all([
    forumStats(db),
    db.execute<ForumDebug['users'][number]>(sql`
      select id, username, wallet_address as "walletAddress", migration_status as "migrationStatus",
        new_auth_user_id as "newAuthUserId"
      from forum_users order by created_at desc, id limit ${DEBUG_ROWS}`),
    db.execute<ForumDebug['roles'][number]>(sql`
      select r.id, r.user_id as "userId", r.role, r.moderator_request_status as "moderatorRequestStatus",
        r.requested_at as "requestedAt"
      from (select id, created_at from users order by created_at desc, id limit ${DEBUG_ROWS}) u
      join user_roles r on r.user_id = u.id order by u.created_at desc, u.id`),
  ]);
  return {
    stats,
    users: users.rows,
    roles: roles.rows.map((row) => ({ ...row, requestedAt: isoOrNull(row.requestedAt) })),
  };
}

const AUTHOR = sql`case when u.id is null or u.new_auth_user_id is null and u.migration_status = 'completed' then null
  else u.username end as author`;
const HIDDEN_BY = sql`(select coalesce(f.username, m.email) from users m
  left join forum_users f on f.new_auth_user_id = m.id where m.id = t.deleted_by) as "hiddenBy"`;
const reportsOf = (column: 'post_id' | 'comment_id') => sql`
  (select count(*)::int from forum_reports r where r.${sql.raw(column)} = t.id and r.resolved_at is null) as reports,
  array(select distinct r.reason from forum_reports r where r.${sql.raw(column)} = t.id and r.resolved_at is null) as reasons`;
/** Texts with open reports; these know the text's age, so that few reports are listed without a look at many texts. */
function reportedBy(column: 'post_id' | 'comment_id') {
  const target = sql.raw(column);
  const open = sql`from forum_reports where resolved_at is null and ${target} is not null`;
  return {
    holds: sql`t.id in (select ${target} ${open})`,
    from: sql`from (select distinct ${target} as id, text_created_at as created_at ${open}) t`,
  };
}
const COMMON = sql`t.id, t.content, ${AUTHOR}, t.created_at as "createdAt", t.is_hidden as "isHidden",
  t.deleted_at as "hiddenAt", ${HIDDEN_BY}`;

const PARTS = {
  post: {
    columns: sql`${COMMON}, 'post' as what, t.id as "postId", t.title,
      t.is_hidden and t.deleted_by is not null and t.deleted_by is not distinct from u.new_auth_user_id as "byAuthor",
      ${reportsOf('post_id')}`,
    from: sql`from forum_posts t left join forum_users u on u.id = t.forum_user_id`,
    keys: sql`from forum_posts t`,
    reported: reportedBy('post_id'),
  },
  comment: {
    columns: sql`${COMMON}, 'comment' as what, t.post_id as "postId",
      coalesce((select p.title from forum_posts p where p.id = t.post_id), '') as title,
      t.is_hidden and t.deleted_by is not null and t.deleted_by is not distinct from t.user_id as "byAuthor",
      ${reportsOf('comment_id')}`,
    from: sql`from forum_comments t left join forum_users u on u.new_auth_user_id = t.user_id`,
    keys: sql`from forum_comments t`,
    reported: reportedBy('comment_id'),
  },
} satisfies Record<What, { columns: SQL; from: SQL; keys: SQL; reported: { from: SQL; holds: SQL } }>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Texts whose words or whose author's name were asked for, each by its own index; an id finds its text. */
function textsWith(what: What, asked: string): Terms | undefined {
  const searchTerms = cleanText(asked, 'line');
  if (!searchTerms) return undefined;
  const table = sql.raw(what === 'post' ? 'forum_posts' : 'forum_comments');
  if (UUID.test(searchTerms))
    return { ids: sql`select id from ${table} where id = ${searchTerms}`, along: sql`t.id = ${searchTerms}` };
  const text = sql`t.search @@ websearch_to_tsquery('spanish', florka_fold(${searchTerms}))`;
  const name = normalizedContains(sql`u.search`, searchTerms);
  const author = sql.raw(what === 'post' ? 't.forum_user_id = u.id' : 't.user_id = u.new_auth_user_id');
  const most = sql`limit ${MANY_FOUND + 1}`;
  return {
    ids: sql`(select t.id from ${table} t where ${text} ${most})
      union (select t.id from ${table} t join forum_users u on ${author} where ${name} ${most})`,
    along: sql`(${along(text)} or ${along(name)})`,
  };
}

/** Posts or comments for moderation, also hidden ones. */
export async function listTexts(
  db: Reader,
  input: { q: string; page: number; size: number; sort: string; what: What; shelf: Shelf },
): Promise<{ rows: ModeratedText[]; total: number }> {
  const { columns, from, keys, reported } = PARTS[input.what];
  const shelves: Partial<Record<Shelf, SQL>> = { shown: sql`not t.is_hidden`, hidden: sql`t.is_hidden` };
  const { rows, total } = await readPage<ModeratedText>(db, input, {
    columns,
    from,
    where: [shelves[input.shelf]],
    keys: input.shelf === 'reported' ? reported : { from: keys },
    sorts: { createdAt: sql`t.created_at` },
    filled: ['createdAt'],
    tie: sql`t.id`,
    id: sql`t.id`,
    searchTerms: textsWith(input.what, input.q),
  });
  return {
    rows: rows.map((row) => ({ ...row, createdAt: iso(row.createdAt), hiddenAt: isoOrNull(row.hiddenAt) })),
    total,
  };
}

/** Hides posts or comments, and answers their open reports by it. What is hidden already stays as it is. */
export const hideTexts = (
  db: Db,
  by: Editor,
  { what, ids, reason }: { what: What; ids: string[]; reason: string },
): Promise<{ results: BulkOutcome[] }> =>
  forEachRecord(ids, (id) =>
    db.transaction(async (tx) => {
      const old = await lockText(tx, what, id);
      if (old.is_hidden) return 'unchanged';
      await write(
        tx,
        what,
        sql`is_hidden = true, deleted_by = ${by.actor.id}, deleted_at = ${by.now.toISOString()}`,
        id,
      );
      if (what === 'comment') await count(tx, old.post_id, -1);
      const { rowCount } = await tx.execute(sql`
        update forum_reports set resolved_at = ${by.now.toISOString()}, resolved_by = ${by.actor.id}, resolution = 'hidden'
        where resolved_at is null and ${sql.raw(`${what}_id`)} = ${id}`);
      // Moderators may hide words of their own: that is an author's deletion, whose place stays while others have answered.
      const removed = what === 'post' && (old.author_id !== by.actor.id || old.comment_count === 0);
      await publish(tx, { type: removed ? 'post.removed' : 'post.changed', postId: old.post_id });
      await audit(tx, by.actor, {
        action: `${what}.deleted`,
        resourceType: what,
        resourceId: id,
        before: { title: old.title, authorId: old.author_id },
        ...(rowCount ? { after: { reports: rowCount } } : {}),
        ...(reason ? { reason } : {}),
      });
      return 'done';
    }),
  );

/** Shows hidden posts or comments again, but for those that their authors deleted. */
export const restoreTexts = (
  db: Db,
  by: Editor,
  { what, ids }: { what: What; ids: string[] },
): Promise<{ results: BulkOutcome[] }> =>
  forEachRecord(ids, (id) =>
    db.transaction(async (tx) => {
      const old = await lockText(tx, what, id);
      if (!old.is_hidden) return 'unchanged';
      if (old.deleted_by !== null && old.deleted_by === old.author_id) fail('AUTHORS_DELETION');
      await write(tx, what, sql`is_hidden = false, deleted_by = null, deleted_at = null`, id);
      if (what === 'comment') await count(tx, old.post_id, 1);
      await publish(tx, { type: 'post.changed', postId: old.post_id });
      await audit(tx, by.actor, {
        action: `${what}.restored`,
        resourceType: what,
        resourceId: id,
        after: { title: old.title, authorId: old.author_id },
      });
      return 'done';
    }),
  );

const write = (tx: Tx, what: What, change: SQL, id: string) =>
  tx.execute(sql`update ${sql.raw(what === 'post' ? 'forum_posts' : 'forum_comments')} set ${change} where id = ${id}`);
const count = (tx: Tx, postId: string, step: 1 | -1) =>
  tx.execute(sql`update forum_posts set comment_count = comment_count + ${step} where id = ${postId}`);

interface Locked extends Record<string, unknown> {
  post_id: string;
  title: string;
  author_id: string | null;
  is_hidden: boolean;
  deleted_by: string | null;
  /** Of a post. */
  comment_count: number;
}

/** A text with its post, both locked, the post first, as everybody who changes its counter does. @throws NOT_FOUND */
async function lockText(tx: Tx, what: What, id: string): Promise<Locked> {
  if (what === 'post') {
    const { rows } = await tx.execute<Locked>(sql`
      select p.id as post_id, p.title, p.is_hidden, p.deleted_by, p.comment_count, u.new_auth_user_id as author_id
      from forum_posts p left join forum_users u on u.id = p.forum_user_id where p.id = ${id} for no key update of p`);
    return rows[0] ?? fail('NOT_FOUND', { what });
  }
  await tx.execute(sql`
    select 1 from forum_posts where id = (select post_id from forum_comments where id = ${id}) for no key update`);
  const { rows } = await tx.execute<Locked>(sql`
    select c.post_id, '' as title, c.is_hidden, c.deleted_by, 0 as comment_count, c.user_id as author_id
    from forum_comments c where c.id = ${id} for no key update of c`);
  return rows[0] ?? fail('NOT_FOUND', { what });
}
