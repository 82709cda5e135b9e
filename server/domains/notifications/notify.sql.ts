import { notificationKind } from '#contract/domains/notifications.ts';
import { arrayOf, boolean, jsonb, oneOf, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';
import type { NotificationData } from '#server/db/tables/notifications.ts';

const data = jsonb((value) => value as NotificationData);

/**
 * Notifies members of one cause, each by the channels chosen for its kind; members already notified of it, and those who muted or
 * blocked the actor, are excluded. `inApp`, `mail`, `push` and `telegram` are the default choice; `mailed` is true when the kind is
 * mailed at all.
 */
export const notifyMembers = statement({
  parameters: {
    members: arrayOf(uuid),
    /** By member: the language, '' for the chosen one. */
    locales: arrayOf(text),
    /** By member: true when a mail may be sent. */
    mails: arrayOf(boolean),
    kind: oneOf(notificationKind.options),
    inApp: boolean,
    mail: text,
    push: boolean,
    telegram: boolean,
    mailed: boolean,
    /** Stores it also when all channels are off. */
    always: boolean,
    cause: text,
    actor: orNull(uuid),
    post: orNull(uuid),
    detail: text,
    data,
    at: timestamptz,
  },
  row: { id: uuid, mail: boolean },
  text: (at) => `
    with wanted as (
      select u.id, nullif(r.locale, '') as locale, coalesce(s.in_app, ${at.inApp}) as in_app,
        coalesce(${at.mailed} and r.mail and coalesce(s.mail, ${at.mail}) <> 'off', false) as mail,
        coalesce(s.push, ${at.push}) and exists (select 1 from push_subscriptions p where p.user_id = u.id) as push,
        coalesce(s.telegram, ${at.telegram}) and exists (select 1 from telegram_chats t where t.user_id = u.id) as telegram
      from unnest(${at.members}, ${at.locales}, ${at.mails}) as r (id, locale, mail)
      join users u on u.id = r.id
      left join notification_settings s on s.user_id = u.id and s.kind = ${at.kind}
      where not exists (select 1 from member_restrictions x where x.member_id = u.id and x.other_id = ${at.actor})
    ), made as (
      insert into notifications (user_id, kind, cause, actor_id, post_id, detail, data, locale, in_app, created_at, changed_at)
      select id, ${at.kind}, ${at.cause}, ${at.actor}, ${at.post}, ${at.detail}, ${at.data}, locale, in_app, ${at.at}, ${at.at}
      from wanted where in_app or mail or push or telegram or ${at.always} order by id
      on conflict (user_id, cause) do nothing returning id, user_id
    ), sent as (
      insert into notification_deliveries (notification_id, channel, due_at)
      select m.id, c.channel, ${at.at} from made m join wanted w on w.id = m.user_id
      cross join lateral (values ('mail', w.mail), ('push', w.push), ('telegram', w.telegram)) c (channel, enabled) where c.enabled
    )
    select w.id, w.mail from made m join wanted w on w.id = m.user_id`,
});

/**
 * Counts one more member in a grouped notification, which becomes unread again; each member once.
 *
 * @returns 1 when it was counted. `grouped` false: the member is stored only, because the notification was created for them.
 */
export const countActor = command({
  parameters: { member: uuid, cause: text, actor: uuid, grouped: boolean, now: timestamptz },
  text: (at) => `
    with mine as (select id from notifications where user_id = ${at.member} and cause = ${at.cause} for no key update),
    counted as (
      insert into notification_actors (notification_id, user_id) select id, ${at.actor} from mine on conflict do nothing
      returning notification_id
    )
    update notifications n set gathered = gathered + 1, actor_id = ${at.actor}, changed_at = ${at.now}, read_at = null
    from counted where n.id = counted.notification_id and ${at.grouped}`,
});
