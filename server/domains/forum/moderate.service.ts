import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { ForumDebug, ForumStats, ModeratedText } from '#contract/admin/forum.ts';
import type { BulkOutcome } from '#contract/admin/shared/bulk.ts';
import { DEBUG_ROWS, MANY_FOUND } from '#contract/limits.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asBoolean, asText, asTexts, orNull } from '#server/db/expressions.ts';
import { forumUsers, userRoles, users } from '#server/db/tables/accounts.ts';
import { forumComments, forumPosts, forumReports } from '#server/db/tables/forum.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { isUuid } from '#server/lib/text/uuid.ts';
import { publish } from '#server/live/publish.ts';
import { forEachRecord } from '#server/records/bulk.ts';
import { requireOwnLastChange } from '#server/records/last-change.ts';
import {
  type ListQuery,
  listRecords,
  normalizedContains,
  type PageRows,
  type SearchCondition,
  withoutIndex,
} from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import { countComments, hasAnswers, lockPostOf } from './comment-counter.service.ts';
import { publishHeld } from './held-texts.service.ts';
import { readForumStats } from './moderate.sql.ts';
import { requireAnothersText } from './own-texts.service.ts';
import { endRemoval, type RemovalReason, recordRemoval, reopenRemoval } from './removals.service.ts';
import { resolveReportsOf } from './reports.service.ts';

type What = ModeratedText['what'];
type Shelf = 'all' | 'shown' | 'hidden' | 'reported';

/** The four counters of the forum, as one row. */
export async function forumStats(db: Reader): Promise<ForumStats> {
  const [stats] = await readForumStats(db, {});
  return stats ?? fail('NOT_FOUND', { what: 'stats' });
}

/** Data of the debug panel: the counters, and the newest ten profiles and ten roles. No e-mails. */
export async function forumDebug(db: Reader): Promise<ForumDebug> {
  const newest = db
    .select({ id: users.id, createdAt: users.createdAt })
    .from(users)
    .orderBy(desc(users.createdAt), users.id)
    .limit(DEBUG_ROWS)
    .as('u');
  const [stats, profiles, roles] = await Promise.all([
    forumStats(db),
    db
      .select({
        id: forumUsers.id,
        username: forumUsers.username,
        walletAddress: forumUsers.walletAddress,
        migrationStatus: forumUsers.migrationStatus,
        newAuthUserId: forumUsers.newAuthUserId,
      })
      .from(forumUsers)
      .orderBy(desc(forumUsers.createdAt), forumUsers.id)
      .limit(DEBUG_ROWS),
    db
      .select({
        id: userRoles.id,
        userId: userRoles.userId,
        role: userRoles.role,
        moderatorRequestStatus: userRoles.moderatorRequestStatus,
        requestedAt: userRoles.requestedAt,
      })
      .from(newest)
      .innerJoin(userRoles, eq(userRoles.userId, newest.id))
      .orderBy(desc(newest.createdAt), newest.id),
  ]);
  return {
    stats,
    users: profiles,
    roles: roles.map((row) => ({ ...row, requestedAt: row.requestedAt?.toISOString() ?? null })),
  };
}

const posts = alias(forumPosts, 't');
const comments = alias(forumComments, 't');
const authors = alias(forumUsers, 'u');

/** Columns of both kinds of text, in addition to those of `t` and `u`. */
const COMMON = {
  author: sql`case when u.id is null or u.new_auth_user_id is null and u.migration_status = 'completed' then null
    else u.username end`.mapWith(orNull(asText)),
  authorId: authors.newAuthUserId,
  hiddenBy: sql`(select coalesce(f.username, left(m.id::text, 8)) from users m
    left join forum_users f on f.new_auth_user_id = m.id where m.id = t.deleted_by)`.mapWith(orNull(asText)),
};
const reportsOf = (column: 'post_id' | 'comment_id') => {
  const open = sql`from forum_reports r where r.${sql.raw(column)} = t.id and r.resolved_at is null`;
  return {
    reports: sql`(select count(*) ${open})`.mapWith(Number),
    reasons: sql`array(select distinct r.reason ${open})`.mapWith(asTexts),
  };
};
/** Condition: deleted by its author. */
const byAuthor = (author: SQL) =>
  sql`t.is_hidden and t.deleted_by is not null and t.deleted_by is not distinct from ${author}`.mapWith(asBoolean);

const SELECT = {
  post: (db: Reader, { where, orderBy }: PageRows) =>
    db
      .select({
        id: posts.id,
        content: posts.content,
        createdAt: posts.createdAt,
        isHidden: posts.isHidden,
        hiddenAt: posts.deletedAt,
        ...COMMON,
        postId: posts.id,
        title: posts.title,
        byAuthor: byAuthor(sql`u.new_auth_user_id`),
        ...reportsOf('post_id'),
      })
      .from(posts)
      .leftJoin(authors, eq(authors.id, posts.forumUserId))
      .where(where)
      .orderBy(orderBy),
  comment: (db: Reader, { where, orderBy }: PageRows) =>
    db
      .select({
        id: comments.id,
        content: comments.content,
        createdAt: comments.createdAt,
        isHidden: comments.isHidden,
        hiddenAt: comments.deletedAt,
        ...COMMON,
        postId: comments.postId,
        title: sql`coalesce((select p.title from forum_posts p where p.id = t.post_id), '')`.mapWith(asText),
        byAuthor: byAuthor(sql`t.user_id`),
        ...reportsOf('comment_id'),
      })
      .from(comments)
      .leftJoin(authors, eq(authors.newAuthUserId, comments.userId))
      .where(where)
      .orderBy(orderBy),
};

/** Texts with open reports. Reports store the age of their text, so that a page of them needs no scan of the texts. */
function reportedBy(column: 'post_id' | 'comment_id') {
  const target = sql.raw(column);
  const open = sql`from forum_reports where resolved_at is null and ${target} is not null`;
  return {
    holds: sql`t.id in (select ${target} ${open})`,
    from: sql`from (select distinct ${target} as id, text_created_at as created_at ${open}) t`,
  };
}
const PARTS = {
  post: {
    from: sql`from forum_posts t left join forum_users u on u.id = t.forum_user_id`,
    keys: sql`from forum_posts t`,
    reported: reportedBy('post_id'),
  },
  comment: {
    from: sql`from forum_comments t left join forum_users u on u.new_auth_user_id = t.user_id`,
    keys: sql`from forum_comments t`,
    reported: reportedBy('comment_id'),
  },
} satisfies Record<What, { from: SQL; keys: SQL; reported: { from: SQL; holds: SQL } }>;

/** Texts whose content or author matches the search, each by its own index; an id finds its text. */
function textsWith(what: What, term: string): SearchCondition | undefined {
  const searchTerms = cleanText(term, 'line');
  if (!searchTerms) return undefined;
  const table = sql.raw(what === 'post' ? 'forum_posts' : 'forum_comments');
  if (isUuid(searchTerms))
    return { ids: sql`select id from ${table} where id = ${searchTerms}`, condition: sql`t.id = ${searchTerms}` };
  const text = sql`t.search @@ websearch_to_tsquery('spanish', florka_fold(${searchTerms}))`;
  const name = normalizedContains(sql`u.search`, searchTerms);
  const author = sql.raw(what === 'post' ? 't.forum_user_id = u.id' : 't.user_id = u.new_auth_user_id');
  const limit = sql`limit ${MANY_FOUND + 1}`;
  return {
    ids: sql`(select t.id from ${table} t where ${text} ${limit})
      union (select t.id from ${table} t join forum_users u on ${author} where ${name} ${limit})`,
    condition: sql`(${withoutIndex(text)} or ${withoutIndex(name)})`,
  };
}

/** Posts or comments for moderation, including hidden ones. */
export async function listTexts(
  db: Reader,
  input: ListQuery & { what: What; shelf: Shelf },
): Promise<{ rows: ModeratedText[]; total: number }> {
  const { what } = input;
  const { from, keys, reported } = PARTS[what];
  const shelves: Partial<Record<Shelf, SQL>> = { shown: sql`not t.is_hidden`, hidden: sql`t.is_hidden` };
  const parts = {
    from,
    where: [shelves[input.shelf]],
    keys: input.shelf === 'reported' ? reported : { from: keys },
    sorts: { createdAt: sql`t.created_at` },
    notNull: ['createdAt'],
    tieBreaker: sql`t.id`,
    id: sql`t.id`,
    title: what === 'post' ? sql`t.title` : sql`t.content`,
    searchTerms: textsWith(what, input.q),
  };
  const { rows, total } = await listRecords(db, input, parts, (page) => SELECT[what](db, page));
  return {
    rows: rows.map((row) => ({
      ...row,
      what,
      createdAt: row.createdAt.toISOString(),
      hiddenAt: row.hiddenAt?.toISOString() ?? null,
    })),
    total,
  };
}

/** Actions of the team that show or hide a text, also in answer to its reports. */
const visibilityActions = (what: What) => [`${what}.deleted`, `${what}.report_hidden`, `${what}.restored`] as const;

/** Hides posts or comments by a rule, notifies their authors, and resolves their reports; those of one's own text wait for a colleague. */
export const hideTexts = (
  db: Db,
  jobs: JobQueue,
  by: Editor,
  { what, ids, ...because }: { what: What; ids: string[] } & RemovalReason,
): Promise<{ results: BulkOutcome[] }> =>
  forEachRecord(ids, (id) =>
    db.transaction(async (tx) => {
      const old = await lockText(tx, what, id);
      if (old.isHidden) return 'unchanged';
      await write(tx, what, { isHidden: true, deletedBy: by.actor.id, deletedAt: by.now }, id);
      if (what === 'comment') await countComments(tx, old.postId, -1);
      const isOwn = old.authorId !== null && old.authorId === by.actor.id;
      const reports = isOwn ? 0 : await resolveReportsOf(tx, { what, id }, 'hidden', { id: by.actor.id, now: by.now });
      await recordRemoval(tx, { jobs, by: { id: by.actor.id, role: 'admin' }, now: by.now }, { what, id }, because);
      // A moderator's own text is deleted as by an author, with a placeholder while it has comments of others.
      const removed = what === 'post' && !(isOwn && (await hasAnswers(tx, id, old.authorId)));
      await publish(tx, { type: removed ? 'post.removed' : 'post.changed', postId: old.postId });
      await audit(tx, by.actor, {
        action: `${what}.deleted`,
        resourceType: what,
        resourceId: id,
        before: { title: old.title, authorId: old.authorId },
        ...(reports ? { after: { reports } } : {}),
        reason: because.reason,
      });
      return 'done';
    }),
  );

/**
 * Shows hidden posts or comments again, except those that their authors deleted, and the actor's own ones while a colleague can decide.
 *
 * @param undo of the actor's own hiding: the reports that it resolved are open again.
 */
export const restoreTexts = (
  db: Db,
  by: Editor,
  { what, ids, undo }: { what: What; ids: string[]; undo: boolean },
): Promise<{ results: BulkOutcome[] }> =>
  forEachRecord(ids, (id) =>
    db.transaction(async (tx) => {
      const old = await lockText(tx, what, id);
      if (!old.isHidden) return 'unchanged';
      if (undo) await requireOwnLastChange(tx, by.actor, what, id, visibilityActions(what));
      if (old.deletedBy !== null && old.deletedBy === old.authorId) fail('AUTHORS_DELETION');
      await requireAnothersText(tx, by.actor.id, { what, id });
      // A text that waits for a review is released by this, with its postponed notifications.
      if (!(await publishHeld(tx, { what, id }, by.now, by.actor.id ?? undefined))) {
        await write(tx, what, { isHidden: false, deletedBy: null, deletedAt: null }, id);
        if (what === 'comment') await countComments(tx, old.postId, 1);
        await publish(tx, { type: 'post.changed', postId: old.postId });
      }
      await endRemoval(tx, id, by.actor.id, by.now);
      const reports = undo ? await reopenReports(tx, what, id, old) : 0;
      await audit(tx, by.actor, {
        action: `${what}.restored`,
        resourceType: what,
        resourceId: id,
        after: { title: old.title, authorId: old.authorId, ...(reports ? { reports } : {}) },
      });
      return 'done';
    }),
  );

/**
 * Undoes the actor's own restore: the texts are hidden as they were, under the same removal, of which their authors were notified
 * then. Refused for a text that the restore published for the first time: others were notified of it.
 */
export const hideTextsAgain = (
  db: Db,
  by: Editor,
  { what, ids }: { what: What; ids: string[] },
): Promise<{ results: BulkOutcome[] }> =>
  forEachRecord(ids, (id) =>
    db.transaction(async (tx) => {
      const old = await lockText(tx, what, id);
      if (old.isHidden) return 'unchanged';
      await requireOwnLastChange(tx, by.actor, what, id, visibilityActions(what));
      const removal = (await reopenRemoval(tx, { what, id }, old.createdAt)) ?? fail('ALREADY_PUBLISHED');
      await write(tx, what, { isHidden: true, deletedBy: removal.by, deletedAt: removal.at }, id);
      if (what === 'comment') await countComments(tx, old.postId, -1);
      const reports = await resolveReportsOf(tx, { what, id }, 'hidden', { id: by.actor.id, now: by.now });
      await publish(tx, { type: what === 'post' ? 'post.removed' : 'post.changed', postId: old.postId });
      await audit(tx, by.actor, {
        action: `${what}.deleted`,
        resourceType: what,
        resourceId: id,
        before: { title: old.title, authorId: old.authorId },
        ...(reports ? { after: { reports } } : {}),
        ...(removal.reason ? { reason: removal.reason } : {}),
      });
      return 'done';
    }),
  );

/** Reopens the reports that were resolved by hiding a text. @returns their number. */
async function reopenReports(
  tx: Tx,
  what: What,
  id: string,
  { deletedBy, deletedAt }: Pick<Locked, 'deletedBy' | 'deletedAt'>,
): Promise<number> {
  if (!deletedBy || !deletedAt) return 0;
  const { rowCount } = await tx
    .update(forumReports)
    .set({ resolvedAt: null, resolvedBy: null, resolution: null })
    .where(
      and(
        eq(what === 'post' ? forumReports.postId : forumReports.commentId, id),
        eq(forumReports.resolution, 'hidden'),
        eq(forumReports.resolvedBy, deletedBy),
        eq(forumReports.resolvedAt, deletedAt),
      ),
    );
  return rowCount ?? 0;
}

const write = (
  tx: Tx,
  what: What,
  change: { isHidden: boolean; deletedBy: string | null; deletedAt: Date | null },
  id: string,
) => {
  const texts = what === 'post' ? forumPosts : forumComments;
  return tx.update(texts).set(change).where(eq(texts.id, id));
};

interface Locked {
  postId: string;
  title: string;
  authorId: string | null;
  isHidden: boolean;
  deletedBy: string | null;
  deletedAt: Date | null;
  createdAt: Date;
}

/** A text and its post, both locked, the post first, in the lock order of all writers of its counter. @throws NOT_FOUND */
async function lockText(tx: Tx, what: What, id: string): Promise<Locked> {
  if (what === 'post') {
    const [post] = await tx
      .select({
        postId: forumPosts.id,
        title: forumPosts.title,
        isHidden: forumPosts.isHidden,
        deletedBy: forumPosts.deletedBy,
        deletedAt: forumPosts.deletedAt,
        createdAt: forumPosts.createdAt,
        authorId: forumUsers.newAuthUserId,
      })
      .from(forumPosts)
      .leftJoin(forumUsers, eq(forumUsers.id, forumPosts.forumUserId))
      .where(eq(forumPosts.id, id))
      .for('no key update', { of: forumPosts });
    return post ?? fail('NOT_FOUND', { what });
  }
  await lockPostOf(tx, id);
  const [comment] = await tx
    .select({
      postId: forumComments.postId,
      isHidden: forumComments.isHidden,
      deletedBy: forumComments.deletedBy,
      deletedAt: forumComments.deletedAt,
      createdAt: forumComments.createdAt,
      authorId: forumComments.userId,
    })
    .from(forumComments)
    .where(eq(forumComments.id, id))
    .for('no key update');
  return comment ? { ...comment, title: '' } : fail('NOT_FOUND', { what });
}
