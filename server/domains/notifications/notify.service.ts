import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { defaultSetting, type NotificationDetail, type NotificationKind } from '#contract/domains/notifications.ts';
import { MAILED_KINDS } from '#contract/limits.ts';
import type { Tx } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';
import { forumUsers } from '#server/db/tables/accounts.ts';
import { forumComments, forumPosts } from '#server/db/tables/forum.ts';
import type { NotificationData } from '#server/db/tables/notifications.ts';
import { memberRestrictions } from '#server/db/tables/profiles.ts';
import { publish } from '#server/live/publish.ts';
import type { MailLocale } from '#server/mail/mail.ts';
import { mentionedIn } from './mentions.policy.ts';
import { countActor, notifyMembers } from './notify.sql.ts';

/** Members per live event: its payload is limited to 8,000 bytes. */
const BATCH_SIZE = 100;

export interface Reader {
  id: string;
  locale?: MailLocale | undefined;
  /** False: only in the list and as a push, regardless of the choice for the kind. */
  mail?: boolean;
}

/** An event, and the members whom it concerns. */
export interface Notice<Kind extends NotificationKind = NotificationKind> {
  kind: Kind;
  detail: NotificationDetail<Kind>;
  /** Deduplication key: equal for the same event only, so that no member is notified twice of one cause. */
  cause: string;
  to: readonly Reader[];
  /** The member who caused it, who is not notified. */
  actorId?: string | null;
  postId?: string;
  data?: NotificationData;
  /** Stores it also for members with all channels off, so that its own mail is sent once. */
  always?: boolean;
  now: Date;
}

/**
 * Notifies members in the transaction of the change itself: without its commit there is no notification; and once per cause,
 * however often it is retried. The members' choices determine the channels.
 *
 * @returns the number of notified members, and of those among them who will get a mail.
 */
export async function notify<Kind extends NotificationKind>(
  tx: Tx,
  { kind, detail, cause, to, actorId = null, postId, data = {}, always = false, now }: Notice<Kind>,
): Promise<{ members: number; mails: number }> {
  const readers = [...new Map(to.map((reader) => [reader.id, reader])).values()].filter(({ id }) => id !== actorId);
  if (readers.length === 0) return { members: 0, mails: 0 };
  const defaults = defaultSetting(kind);
  const mailed = (MAILED_KINDS as readonly NotificationKind[]).includes(kind);
  const rows = await notifyMembers(tx, {
    members: readers.map(({ id }) => id),
    locales: readers.map(({ locale }) => locale ?? ''),
    mails: readers.map(({ mail = true }) => mail),
    kind,
    ...defaults,
    mailed,
    always,
    cause,
    actor: actorId,
    post: postId ?? null,
    detail,
    data,
    at: now,
  });
  await publishTo(
    tx,
    rows.map(({ id }) => id),
  );
  return { members: rows.length, mails: rows.filter(({ mail }) => mail).length };
}

/** Publishes a live event to these members that their notifications changed. */
export async function publishTo(tx: Tx, members: readonly string[]): Promise<void> {
  for (let from = 0; from < members.length; from += BATCH_SIZE)
    await publish(tx, { type: 'member.notified', members: members.slice(from, from + BATCH_SIZE) });
}

interface Written {
  postId: string;
  /** Set for a comment. */
  commentId?: string | undefined;
  /** The comment that it answers. */
  quotedId?: string;
  /** Text that is searched for mentions. */
  text: string;
  actorId: string;
  now: Date;
}

/** Used where the account is known to exist. */
const MEMBER_ID = sql`${forumUsers.newAuthUserId}`.mapWith(asText);

/** The author of a post; undefined when the account was removed. */
async function authorOf(tx: Tx, postId: string): Promise<{ id: string } | undefined> {
  const [author] = await tx
    .select({ id: MEMBER_ID })
    .from(forumPosts)
    .innerJoin(forumUsers, eq(forumUsers.id, forumPosts.forumUserId))
    .where(and(eq(forumPosts.id, postId), isNotNull(forumUsers.newAuthUserId)));
  return author;
}

/** Deduplication key of everything about one text. */
const causeOf = ({ postId, commentId }: Pick<Written, 'postId' | 'commentId'>): string =>
  commentId ? `comment:${commentId}` : `post:${postId}`;

async function notifyMentioned(tx: Tx, names: string[], written: Omit<Written, 'text' | 'quotedId'>): Promise<void> {
  if (names.length === 0) return;
  const { postId, commentId, actorId, now } = written;
  const { newAuthUserId, username } = forumUsers;
  const to = await tx
    .select({ id: MEMBER_ID })
    .from(forumUsers)
    .where(and(inArray(sql`lower(${username})`, names), isNotNull(newAuthUserId)))
    .orderBy(newAuthUserId);
  const detail = commentId ? 'comment' : 'post';
  await notify(tx, { kind: 'mentions', detail, cause: causeOf(written), to, actorId, postId, now });
}

/**
 * Notifies the members whom an edited text mentions and no earlier version of it did: together never more than one text may
 * mention, and nobody while the post is hidden.
 *
 * @param edited.earlier all earlier versions, oldest first.
 */
export async function notifyOfEdit(
  tx: Tx,
  { earlier, text, ...written }: Omit<Written, 'quotedId'> & { earlier: readonly string[] },
): Promise<void> {
  const names = mentionedIn(text, earlier);
  if (names.length === 0) return;
  const isVisible = and(eq(forumPosts.id, written.postId), eq(forumPosts.isHidden, false));
  if ((await tx.$count(forumPosts, isVisible)) > 0) await notifyMentioned(tx, names, written);
}

/**
 * Notifies the members whom a post or comment mentions, and, for a comment, the author of the comment that it answers and that of
 * the post: each of them once.
 */
export async function notifyOfText(
  tx: Tx,
  { postId, commentId, quotedId, text, actorId, now }: Written,
): Promise<void> {
  const cause = causeOf({ postId, commentId });
  await notifyMentioned(tx, mentionedIn(text), { postId, commentId, actorId, now });
  if (!commentId) return;
  if (quotedId) {
    const quoted = await tx
      .select({ id: sql`${forumComments.userId}`.mapWith(asText) })
      .from(forumComments)
      .where(and(eq(forumComments.id, quotedId), isNotNull(forumComments.userId)));
    await notify(tx, { kind: 'replies', detail: 'quote', cause, to: quoted, actorId, postId, now });
  }
  const author = await authorOf(tx, postId);
  await notify(tx, { kind: 'replies', detail: 'comment', cause, to: author ? [author] : [], actorId, postId, now });
}

/** True when a member muted or blocked another. */
const hasRestricted = async (tx: Tx, memberId: string, otherId: string): Promise<boolean> =>
  (await tx.$count(
    memberRestrictions,
    and(eq(memberRestrictions.memberId, memberId), eq(memberRestrictions.otherId, otherId)),
  )) > 0;

/** Notifies the author of a post of reactions: one notification per post and UTC day, in which each member is counted once. */
export async function notifyOfReaction(
  tx: Tx,
  { postId, actorId, now }: Omit<Written, 'text' | 'commentId' | 'quotedId'>,
): Promise<void> {
  const author = await authorOf(tx, postId);
  if (!author || author.id === actorId || (await hasRestricted(tx, author.id, actorId))) return;
  const cause = `reactions:${postId}:${now.toISOString().slice(0, 10)}`;
  const { members } = await notify(tx, {
    kind: 'reactions',
    detail: 'post',
    cause,
    to: [author],
    actorId,
    postId,
    now,
  });
  const counted = await countActor(tx, { member: author.id, cause, actor: actorId, grouped: members === 0, now });
  if (counted > 0) await publishTo(tx, [author.id]);
}
