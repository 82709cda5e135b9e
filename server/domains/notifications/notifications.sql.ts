import { notificationKind, notificationMail } from '#contract/domains/notifications.ts';
import {
  arrayOf,
  boolean,
  exactMoment,
  int4,
  jsonb,
  oneOf,
  orNull,
  text,
  timestamptz,
  uuid,
} from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';
import type { NotificationData } from '#server/db/tables/notifications.ts';

const locale = oneOf(['es', 'en']);

/** Columns of a notification, with current names and titles; null for hidden posts, empty for those of a blocked author. */
export const NOTIFICATION = {
  id: uuid,
  userId: uuid,
  kind: oneOf(notificationKind.options),
  detail: text,
  data: jsonb((value) => value as NotificationData),
  postId: orNull(uuid),
  postTitle: orNull(text),
  /** The comment that caused it. */
  commentId: orNull(uuid),
  actor: orNull(text),
  gathered: int4,
  at: exactMoment,
  readAt: orNull(timestamptz),
};
/** Condition: its member mutes or blocks the actor by now. */
const RESTRICTED = `exists (select 1 from member_restrictions x where x.member_id = n.user_id and x.other_id = n.actor_id)`;
/** Condition: its member blocks the author of its post. */
const AUTHOR_BLOCKED = `exists (select 1 from member_restrictions x join forum_users f on f.new_auth_user_id = x.other_id
  where x.member_id = n.user_id and x.level = 'block' and f.id = p.forum_user_id)`;
/** The columns, and the tables that they are selected from. The name of a restricted actor is omitted. */
export const COLUMNS = `n.id, n.user_id as "userId", n.kind, n.detail, n.data, n.post_id as "postId",
  case when p.is_hidden then null when ${AUTHOR_BLOCKED} then '' else p.title end as "postTitle",
  case when n.cause like 'comment:%' then substr(n.cause, 9)::uuid end as "commentId", 
  case when ${RESTRICTED} then null else a.username end as actor, n.gathered,
  n.changed_at as at, n.read_at as "readAt"`;
export const FROM = `from notifications n left join forum_posts p on p.id = n.post_id
  left join forum_users a on a.new_auth_user_id = n.actor_id`;

/** Condition: it is in its member's list. Those of one restricted person are not, as long as the restriction lasts. */
const LISTED = `n.in_app and not (n.gathered = 1 and ${RESTRICTED})`;

/** Number of a member's unread notifications, up to a limit. */
export const readUnread = statement({
  parameters: { user: uuid, max: int4 },
  row: { unread: int4 },
  text: (at) => `
    select count(*)::int4 as unread from (
      select 1 from notifications n where n.user_id = ${at.user} and n.read_at is null and ${LISTED} limit ${at.max}
    ) counted`,
});

/** A page of a member's notifications, latest first, from a time and an id on; without an id, the whole given time is included. */
export const readNotifications = statement({
  parameters: { user: uuid, at: exactMoment, id: orNull(uuid), max: int4 },
  row: NOTIFICATION,
  text: (at) => `
    select ${COLUMNS} ${FROM} where n.user_id = ${at.user} and ${LISTED}
      and n.changed_at <= ${at.at} and (n.changed_at < ${at.at} or n.id > ${at.id})
    order by n.changed_at desc, n.id limit ${at.max}`,
});

/** Condition: no vote of its member for its candidate has the announced state any more (`notifyVoters`). */
const VOTE_CHANGED = `not exists (select 1 from present_votes v
    where v.user_id = n.user_id and v.candidate_id = substr(n.cause, 6, 36)::uuid
      and v.state = case n.detail when 'vote_held' then 'under_review' when 'vote_void' then 'void' else 'counted' end)`;

/**
 * Condition: the comment that caused it is hidden or deleted, the only person who reacted took all reactions back, or the vote that it
 * is about has another state by now, which has a notification of its own.
 */
const WITHDRAWN = `case when n.cause like 'comment:%'
    then not exists (select 1 from forum_comments c where c.id = substr(n.cause, 9)::uuid and not c.is_hidden)
    when n.kind = 'reactions'
    then n.gathered = 1 and not exists (select 1 from post_reactions e where e.post_id = n.post_id and e.user_id = n.actor_id)
    when n.cause like 'vote:%' then ${VOTE_CHANGED}
    else false end`;

/** Condition on a row `t` of saved_tokens: its member saved the token that it is about, or the NEXT project that this became. */
const SAVED = `t.user_id = n.user_id and (
    coalesce(t.project_id, t.candidate_id, t.next_project_id) = (n.data #>> '{saved,id}')::uuid
    or t.next_project_id in (select w.id from next_projects w join voting_rounds v on v.id = w.voting_round_id
      where v.winner_candidate_id = (n.data #>> '{saved,id}')::uuid))`;
/** Condition: it is about a saved token, and its member by now wants no mails about it, nor about the NEXT project that it became. */
const UNFOLLOWED = `(n.data -> 'saved' is not null and not exists (select 1 from saved_tokens t where ${SAVED} and t.notify))`;
/** Condition: it is about a saved token that by now is neither public nor a public NEXT project, or that its member no longer saves. */
const TOKEN_GONE = `(n.data -> 'saved' is not null and not exists (select 1 from saved_tokens t
  left join projects sp on sp.id = t.project_id
  left join voting_candidates sc on sc.id = t.candidate_id
  left join next_projects sn on sn.id = t.next_project_id
  where ${SAVED} and coalesce(sp.status in ('published_home', 'approved') and sp.deleted_at is null,
    sc.is_active and sc.deleted_at is null,
    sn.is_active and sn.status in ('published', 'launched') and sn.deleted_at is null, false)))`;

/** Whether its member still wants a notification, and when it may be delivered. */
export const PREFERENCES = {
  banned: boolean,
  /** Its comment or single reaction was removed, or its vote has another state. */
  withdrawn: boolean,
  /** Its member mutes or blocks the actor by now. */
  restricted: boolean,
  /** It is about a saved token that by now is not public, or not saved by its member. */
  tokenGone: boolean,
  push: orNull(boolean),
  telegram: orNull(boolean),
  zone: text,
  quietFrom: orNull(int4),
  quietTo: orNull(int4),
};
/** @param now and @param zone placeholders of the time, and of the time zone of members who chose none. */
export const preferenceColumns = (now: string, zone: string) => `
  coalesce(u.banned_until > ${now}, false) as banned, ${WITHDRAWN} as withdrawn, ${RESTRICTED} as restricted,
  ${TOKEN_GONE} as "tokenGone", s.push, s.telegram,
  coalesce(r.zone, ${zone}) as zone, r.quiet_from as "quietFrom", r.quiet_to as "quietTo"`;
export const PREFERENCES_FROM = `join users u on u.id = n.user_id
  left join notification_settings s on s.user_id = n.user_id and s.kind = n.kind
  left join notification_readers r on r.user_id = n.user_id`;

/** Due notifications of some members, or of one, each with its channels and times; locked. */
export const lockDue = statement({
  parameters: {
    now: timestamptz,
    /** Null: the members whose notifications are due the longest. */
    member: orNull(uuid),
    /** Limit per member. */
    ofOne: int4,
    members: int4,
    /** Time zone of members who chose none. */
    zone: text,
  },
  row: {
    channel: oneOf(['mail', 'push', 'telegram']),
    createdAt: timestamptz,
    ...NOTIFICATION,
    email: text,
    reachable: boolean,
    mail: orNull(oneOf(notificationMail.options)),
    /** Its member by now wants no mails about its saved token. */
    unfollowed: boolean,
    locale,
    ...PREFERENCES,
  },
  text: (at) => `
    with members as (
      select ${at.member} as user_id where ${at.member} is not null
      union all
      (select distinct n.user_id from (
        select notification_id from notification_deliveries
        where ${at.member} is null and state = 'waiting' and due_at <= ${at.now} order by due_at limit ${at.ofOne}
      ) due join notifications n on n.id = due.notification_id order by 1 limit ${at.members})
    ), due as (
      select d.notification_id, d.channel from members m
      cross join lateral (
        select d.notification_id, d.channel from notifications n join notification_deliveries d on d.notification_id = n.id
        where n.user_id = m.user_id and d.state = 'waiting' and d.due_at <= ${at.now} order by n.created_at limit ${at.ofOne}
      ) d
    ), locked as (
      select d.notification_id, d.channel from notification_deliveries d join due using (notification_id, channel)
      where d.state = 'waiting' for no key update of d skip locked
    )
    select l.channel, n.created_at as "createdAt", ${COLUMNS}, u.email, u.email_verified as reachable, s.mail,
      ${UNFOLLOWED} as unfollowed, coalesce(n.locale, r.locale, 'es') as locale, ${preferenceColumns(at.now, at.zone)}
    ${FROM} join locked l on l.notification_id = n.id ${PREFERENCES_FROM}
    order by n.user_id, n.created_at, n.id`,
});

/**
 * Settles what is still due for the daily mail of a member: one mail holds all of it.
 * @returns each notification, and whether the member still wants it.
 */
export const settleRestOfDaily = statement({
  parameters: { now: timestamptz, member: uuid },
  row: { id: uuid, wanted: boolean },
  text: (at) => `
    with rest as (
      select n.id, n.read_at is null and not coalesce(p.is_hidden, false) and not ${WITHDRAWN} and not ${RESTRICTED}
        and not ${UNFOLLOWED} and not ${TOKEN_GONE} as wanted
      from notifications n join notification_deliveries d on d.notification_id = n.id
      join notification_settings s on s.user_id = n.user_id and s.kind = n.kind and s.mail = 'daily'
      left join forum_posts p on p.id = n.post_id
      where n.user_id = ${at.member} and d.channel = 'mail' and d.state = 'waiting' and d.due_at <= ${at.now}
      order by n.created_at for no key update of d
    )
    update notification_deliveries d set state = case when r.wanted then 'done' else 'dropped' end
    from rest r where d.notification_id = r.id and d.channel = 'mail' returning r.id, r.wanted`,
});

/** The oldest of some notifications, with what a mail says of them. */
export const readOldest = statement({
  parameters: { ids: arrayOf(uuid), max: int4 },
  row: NOTIFICATION,
  text: (at) => `
    select ${COLUMNS} ${FROM} where n.id = any(${at.ids}) order by n.created_at, n.id limit ${at.max}`,
});

/** Makes all waiting deliveries of a member due, or those of one kind: their times were computed from earlier settings. */
export const checkWaitingAgain = statement({
  parameters: { member: uuid, kind: orNull(oneOf(notificationKind.options)) },
  row: { id: uuid },
  text: (at) => `
    update notification_deliveries d set due_at = n.created_at from notifications n
    where n.id = d.notification_id and n.user_id = ${at.member} and (${at.kind} is null or n.kind = ${at.kind})
      and d.state = 'waiting' returning n.id`,
});

/** Claims the pushes that have waited longest, until a given time; `zone` is that of members who chose none. */
export const claimPushes = statement({
  parameters: { now: timestamptz, until: timestamptz, max: int4, zone: text },
  row: {
    ...NOTIFICATION,
    attempts: int4,
    subscriptionId: uuid,
    endpoint: text,
    p256dh: text,
    auth: text,
    locale,
    ...PREFERENCES,
  },
  text: (at) => `
    with claimed as (
      update push_sends set attempts = attempts + 1, due_at = ${at.until}
      where (notification_id, subscription_id) in (
        select notification_id, subscription_id from push_sends where state = 'waiting' and due_at <= ${at.now}
        order by due_at limit ${at.max} for no key update skip locked)
      returning notification_id, subscription_id, attempts
    )
    select ${COLUMNS}, c.attempts, c.subscription_id as "subscriptionId", b.endpoint, b.p256dh, b.auth,
      coalesce(n.locale, r.locale, 'es') as locale, ${preferenceColumns(at.now, at.zone)}
    ${FROM} join claimed c on c.notification_id = n.id join push_subscriptions b on b.id = c.subscription_id ${PREFERENCES_FROM}`,
});

/** Creates one push of a notification per browser of its member. */
export const createPushes = command({
  parameters: { notification: uuid, member: uuid, now: timestamptz },
  text: (at) => `
    insert into push_sends (notification_id, subscription_id, due_at)
    select ${at.notification}, id, ${at.now} from push_subscriptions where user_id = ${at.member}
    on conflict do nothing`,
});

/** Turns off the mails of some kinds. */
export const stopMailsOf = command({
  parameters: { member: uuid, kinds: arrayOf(text) },
  text: (at) => `
    insert into notification_settings (user_id, kind, in_app, mail, push)
    select u.id, kind, true, 'off', true from users u, unnest(${at.kinds}) kind where u.id = ${at.member}
    on conflict (user_id, kind) do update set mail = 'off' where notification_settings.mail <> 'off'`,
});

/** Deletes mails of a member's notifications of some kinds that were queued and not sent yet; with `daily` the daily ones, too. */
export const dropQueuedMails = command({
  parameters: { member: uuid, kinds: arrayOf(text), daily: boolean },
  text: (at) => `
    delete from mails m using users u
    where u.id = ${at.member} and m.to_address = u.email and m.status in ('queued', 'failed') and (
      (m.template = 'notification' and m.data ->> 'kind' = any(${at.kinds}))
      or (m.template = 'savedToken' and 'follows' = any(${at.kinds}))
      or (m.template = 'notificationDigest' and ${at.daily}))`,
});
