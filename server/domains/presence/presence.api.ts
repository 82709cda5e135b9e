import { LIMITS } from '#contract/limits.ts';
import { limit, perMember } from '#server/http/guarantees.ts';
import { member, onlyMyself, open } from '#server/http/procedures.ts';
import { closeTab, onlineUsers, seeTab } from './presence.service.ts';

const said = { success: true as const };

export const presenceApi = {
  connect: member.presence.connect
    .use(limit(perMember('tab', LIMITS.presenceAccountMinute)))
    .handler(async ({ input, context }) => {
      for (const id of input.userIds) onlyMyself(id, context.me);
      await seeTab(context.db, context.me, input.sessionId, context.now());
      return said;
    }),
  heartbeat: member.presence.heartbeat
    .use(limit(perMember('tab', LIMITS.presenceAccountMinute)))
    .handler(async ({ input, context }) => {
      for (const id of input.userIds) onlyMyself(id, context.me);
      await seeTab(context.db, context.me, input.sessionId, context.now());
      return said;
    }),
  disconnect: member.presence.disconnect
    .use(limit(perMember('tab', LIMITS.presenceAccountMinute)))
    .handler(async ({ input, context }) => {
      for (const id of input.userIds) onlyMyself(id, context.me);
      await closeTab(context.db, context.me.id, input.sessionId, context.now());
      return said;
    }),
  online: open.presence.online.handler(async ({ context }) => ({
    success: true as const,
    ...(await onlineUsers(context.db, context.now())),
  })),
};
