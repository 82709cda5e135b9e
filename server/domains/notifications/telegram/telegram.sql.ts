import { int4, int8, oneOf, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';
import { COLUMNS, FROM, NOTIFICATION, PREFERENCES, PREFERENCES_FROM, preferenceColumns } from '../notifications.sql.ts';

export const REPLIES = ['linked', 'code_wrong', 'chat_taken', 'not_linked', 'stopped', 'moved', 'help'] as const;
const locale = oneOf(['es', 'en']);

/**
 * Acquires or extends the reader lease of a bot for a process, by the clock of the database. No row: another process holds it. The
 * offset is deleted after a day without updates: Telegram retains none longer, and may restart its numbers.
 */
export const holdReader = statement({
  parameters: { bot: int8, holder: uuid, seconds: int4 },
  row: { nextUpdate: orNull(int8) },
  text: (at) => `
    insert into telegram_bots as b (bot_id, holder, leased_until)
    values (${at.bot}, ${at.holder}, clock_timestamp() + ${at.seconds} * interval '1 second')
    on conflict (bot_id) do update set holder = excluded.holder, leased_until = excluded.leased_until,
      next_update = case when b.seen_at > clock_timestamp() - interval '1 day' then b.next_update end
      where b.holder = excluded.holder or b.leased_until < clock_timestamp()
    returning next_update as "nextUpdate"`,
});

/** Marks an update as processed by the reader. No row: it was processed before, or another process reads now. */
export const takeUpdate = statement({
  parameters: { bot: int8, holder: uuid, update: int8 },
  row: { bot: int8 },
  text: (at) => `
    update telegram_bots set next_update = ${at.update} + 1, seen_at = clock_timestamp()
    where bot_id = ${at.bot} and holder = ${at.holder} and leased_until > clock_timestamp()
      and (next_update is null or next_update <= ${at.update})
    returning bot_id as bot`,
});

/** Claims the message of a bot that has waited longest, until a given time; one with an expired claim may have been sent. */
export const claimMessage = statement({
  parameters: { bot: int8, now: timestamptz, until: timestamptz },
  row: {
    id: uuid,
    chat: int8,
    link: orNull(uuid),
    notification: orNull(uuid),
    reply: orNull(oneOf(REPLIES)),
    about: orNull(text),
    locale,
    attempts: int4,
    unsure: int4,
  },
  text: (at) => `
    update telegram_messages set attempts = attempts + 1, unsure = unsure + (state = 'sending')::integer, state = 'sending',
      due_at = ${at.until}
    where id = (
      select id from telegram_messages where bot_id = ${at.bot} and state in ('waiting', 'sending') and due_at <= ${at.now}
        and not exists (select 1 from telegram_bots b where b.bot_id = ${at.bot} and b.paused_until > ${at.now})
      order by due_at limit 1 for no key update skip locked)
    returning id, chat_id as chat, link_id as link, notification_id as notification, reply, about, locale, attempts, unsure`,
});

/** The current state of one notification; `zone` is that of members who chose none. */
export const readNotification = statement({
  parameters: { id: uuid, now: timestamptz, zone: text },
  row: { ...NOTIFICATION, ...PREFERENCES },
  text: (at) =>
    `select ${COLUMNS}, ${preferenceColumns(at.now, at.zone)} ${FROM} ${PREFERENCES_FROM} where n.id = ${at.id}`,
});

/** Creates the message of a notification for the member's chat with a bot, if one is linked. */
export const createMessage = command({
  parameters: { bot: int8, member: uuid, notification: uuid, locale: text, due: timestamptz, now: timestamptz },
  text: (at) => `
    insert into telegram_messages (bot_id, chat_id, link_id, notification_id, locale, due_at, created_at)
    select bot_id, chat_id, id, ${at.notification}, ${at.locale}, ${at.due}, ${at.now} from telegram_chats
    where user_id = ${at.member} and bot_id = ${at.bot}
    on conflict do nothing`,
});
