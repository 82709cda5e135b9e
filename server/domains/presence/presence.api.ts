import { LIMITS } from '#contract/limits.ts';
import { limit, ownIdsOnly, perMember } from '#server/http/api/guarantees.ts';
import { member, open } from '#server/http/api/procedures.ts';
import { closeTab, onlineUsers, seeTab, waitingFor } from './presence.service.ts';

const SUCCESS = { success: true as const };

const ownIds = ownIdsOnly(({ userIds }: { userIds: string[] }) => userIds);

export const presenceApi = {
  connect: member.presence.connect
    .use(ownIds)
    .use(limit(perMember('tab', LIMITS.presenceAccountMinute)))
    .handler(async ({ input, context }) => {
      await seeTab(context.db, context.me, input, context.now());
      return SUCCESS;
    }),
  heartbeat: member.presence.heartbeat
    .use(ownIds)
    .use(limit(perMember('tab', LIMITS.presenceAccountMinute)))
    .handler(async ({ input, context }) => {
      await seeTab(context.db, context.me, input, context.now());
      return SUCCESS;
    }),
  disconnect: member.presence.disconnect
    .use(ownIds)
    .use(limit(perMember('tab', LIMITS.presenceAccountMinute)))
    .handler(async ({ input, context }) => {
      await closeTab(context.db, context.me.id, input.sessionId, context.now());
      return SUCCESS;
    }),
  waiting: open.presence.waiting.handler(async ({ input, context }) => ({
    waiting: await waitingFor(context.db, input.id, context.now()),
  })),
  online: open.presence.online.handler(async ({ context }) => ({
    success: true as const,
    ...(await onlineUsers(context.db, context.now())),
  })),
};
