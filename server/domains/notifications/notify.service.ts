import { sql } from 'drizzle-orm';
import { MAILED_KINDS } from '#contract/limits.ts';
import { defaultSetting, type NotificationDetail, type NotificationKind } from '#contract/notifications.ts';
import type { Tx } from '#server/db/client.ts';
import type { NotificationData } from '#server/db/tables/notifications.ts';
import { publish } from '#server/live/publish.ts';
import type { MailLocale } from '#server/mail/mail.ts';
import { mentionedIn } from './mentions.policy.ts';

/** Members whom one live event names: its text has room for 8,000 bytes. */
const AT_ONCE = 100;

export interface Reader {
  id: string;
  locale?: MailLocale | undefined;
  /** False: in the list and as a push only, whatever was chosen for the kind. */
  mail?: boolean;
}

/** What happened, and whom it concerns. */
export interface Notice<Kind extends NotificationKind = NotificationKind> {
  kind: Kind;
  detail: NotificationDetail<Kind>;
  /** The same for the same happening, and only for that: nobody is told twice of one cause. */
  cause: string;
  to: readonly Reader[];
  /** Who did it: is not told of it. */
  actorId?: string | null;
  postId?: string;
  data?: NotificationData;
  now: Date;
}

/**
 * Tells members what concerns them, in the transaction of the change itself: no commit, no notification; and once for each
 * cause, however often it is tried. How it reaches whom is decided by what they chose.
 *
 * @returns how many were told, and to how many of them a mail will go.
 */
export async function notify<Kind extends NotificationKind>(
  tx: Tx,
  { kind, detail, cause, to, actorId = null, postId, data = {}, now }: Notice<Kind>,
): Promise<{ members: number; mails: number }> {
  const readers = [...new Map(to.map((reader) => [reader.id, reader])).values()].filter(({ id }) => id !== actorId);
  if (readers.length === 0) return { members: 0, mails: 0 };
  const usual = defaultSetting(kind);
  const mailed = (MAILED_KINDS as readonly NotificationKind[]).includes(kind);
  const at = now.toISOString();
  const { rows } = await tx.execute<{ id: string; mail: boolean }>(sql`
    with wanted as (
      select u.id, r.locale, coalesce(s.in_app, ${usual.inApp}) as in_app,
        ${mailed} and r.mail and coalesce(s.mail, ${usual.mail}) <> 'off' as mail,
        coalesce(s.push, ${usual.push}) and exists (select 1 from push_subscriptions p where p.user_id = u.id) as push
      from unnest(${sql.param(readers.map(({ id }) => id))}::uuid[], ${sql.param(readers.map((one) => one.locale ?? null))}::text[],
        ${sql.param(readers.map((one) => one.mail ?? true))}::boolean[]) as r (id, locale, mail)
      join users u on u.id = r.id
      left join notification_settings s on s.user_id = u.id and s.kind = ${kind}
    ), made as (
      insert into notifications (user_id, kind, cause, actor_id, post_id, detail, data, locale, in_app, created_at, changed_at)
      select id, ${kind}, ${cause}, ${actorId}::uuid, ${postId ?? null}::uuid, ${detail}, ${JSON.stringify(data)}::jsonb,
        locale, in_app, ${at}, ${at}
      from wanted where in_app or mail or push order by id
      on conflict (user_id, cause) do nothing returning id, user_id
    ), sent as (
      insert into notification_deliveries (notification_id, channel, due_at)
      select m.id, c.channel, ${at} from made m join wanted w on w.id = m.user_id
      cross join lateral (values ('mail', w.mail), ('push', w.push)) c (channel, asked) where c.asked
    )
    select w.id, w.mail from made m join wanted w on w.id = m.user_id`);
  await publishTo(
    tx,
    rows.map(({ id }) => id),
  );
  return { members: rows.length, mails: rows.filter(({ mail }) => mail).length };
}

/** Tells open screens of these members that their notifications changed. */
export async function publishTo(tx: Tx, members: readonly string[]): Promise<void> {
  for (let from = 0; from < members.length; from += AT_ONCE)
    await publish(tx, { type: 'member.notified', members: members.slice(from, from + AT_ONCE) });
}

interface Written {
  postId: string;
  /** Set when it is a comment. */
  commentId?: string;
  /** What somebody may be mentioned in. */
  text: string;
  actorId: string;
  now: Date;
}

/** Tells those whom a post or comment mentions, and, of a comment, the author of the post: each of them once. */
export async function notifyOfText(tx: Tx, { postId, commentId, text, actorId, now }: Written): Promise<void> {
  const cause = commentId ? `comment:${commentId}` : `post:${postId}`;
  const names = mentionedIn(text);
  if (names.length > 0) {
    const { rows } = await tx.execute<{ id: string }>(sql`
      select new_auth_user_id as id from forum_users
      where lower(username) = any(${sql.param(names)}::text[]) and new_auth_user_id is not null order by 1`);
    const detail = commentId ? 'comment' : 'post';
    await notify(tx, { kind: 'mentions', detail, cause, to: rows, actorId, postId, now });
  }
  if (!commentId) return;
  const { rows } = await tx.execute<{ id: string }>(sql`
    select u.new_auth_user_id as id from forum_posts p join forum_users u on u.id = p.forum_user_id
    where p.id = ${postId} and u.new_auth_user_id is not null`);
  await notify(tx, { kind: 'replies', detail: 'comment', cause, to: rows, actorId, postId, now });
}

/**
 * Tells the author of a post that somebody reacted: one notification a post and UTC day, in which everybody is counted once.
 */
export async function notifyOfReaction(
  tx: Tx,
  { postId, actorId, now }: Omit<Written, 'text' | 'commentId'>,
): Promise<void> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select u.new_auth_user_id as id from forum_posts p join forum_users u on u.id = p.forum_user_id
    where p.id = ${postId} and u.new_auth_user_id is not null and u.new_auth_user_id <> ${actorId}`);
  const [author] = rows;
  if (!author) return;
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
  const counted = await tx.execute(sql`
    with mine as (select id from notifications where user_id = ${author.id} and cause = ${cause} for no key update),
    counted as (
      insert into notification_actors (notification_id, user_id) select id, ${actorId} from mine on conflict do nothing
      returning notification_id
    )
    update notifications n set gathered = gathered + 1, actor_id = ${actorId}, changed_at = ${now.toISOString()}, read_at = null
    from counted where n.id = counted.notification_id and ${members === 0}`);
  if (counted.rowCount) await publishTo(tx, [author.id]);
}
