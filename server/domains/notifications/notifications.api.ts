import { LIMITS } from '#contract/limits.ts';
import { limit, perMember } from '#server/http/api/guarantees.ts';
import { member } from '#server/http/api/procedures.ts';
import { countUnread, listNotifications, markRead } from './list.service.ts';
import { readPushEndpoints, readSettings, setKind, setReader, subscribe, unsubscribe } from './settings.service.ts';
import { createTelegramLink, readTelegram, unlink } from './telegram/links.service.ts';

const done = { ok: true as const };
const changes = limit(perMember('notifications', LIMITS.notificationMinute));

export const notificationsApi = {
  list: member.notifications.list.handler(({ input, context }) =>
    listNotifications(context.db, context.secret, context.me.id, input),
  ),
  unread: member.notifications.unread.handler(async ({ context }) => ({
    unread: await countUnread(context.db, context.me.id),
  })),
  markRead: member.notifications.markRead.use(changes).handler(async ({ input, context }) => ({
    unread: await markRead(context.db, context.me.id, input, context.now()),
  })),
  settings: member.notifications.settings.handler(async ({ context }) => ({
    ...(await readSettings(context.db, context.me.id)),
    pushKey: context.push.publicKey,
    pushEndpoints: await readPushEndpoints(context.db, context.me.sessionId),
    telegram: await readTelegram(context.db, context.telegram, context.me.id),
  })),
  setKind: member.notifications.setKind.use(changes).handler(async ({ input, context }) => {
    await setKind(context.db, { ...context.actor, id: context.me.id }, input);
    return done;
  }),
  setReader: member.notifications.setReader.use(changes).handler(async ({ input, context }) => {
    await setReader(context.db, { ...context.actor, id: context.me.id }, input);
    return done;
  }),
  subscribe: member.notifications.subscribe.use(changes).handler(async ({ input, context }) => {
    await subscribe(context.db, { ...context.actor, id: context.me.id }, input, {
      sessionId: context.me.sessionId,
      accepts: context.push.accepts,
      now: context.now(),
    });
    return done;
  }),
  unsubscribe: member.notifications.unsubscribe.use(changes).handler(async ({ input, context }) => {
    await unsubscribe(context.db, { ...context.actor, id: context.me.id }, input.endpoint);
    return done;
  }),
  linkTelegram: member.notifications.linkTelegram
    .use(limit(perMember('telegram-link', LIMITS.telegramLinkHour)))
    .handler(({ input, context }) =>
      createTelegramLink(context.db, { ...context.actor, id: context.me.id }, input, {
        telegram: context.telegram,
        sessionId: context.me.sessionId,
        now: context.now(),
      }),
    ),
  unlinkTelegram: member.notifications.unlinkTelegram.use(changes).handler(async ({ context }) => {
    await unlink(context.db, context.jobs, { ...context.actor, id: context.me.id }, context.now());
    return done;
  }),
};
