import { LIMITS, type Limit } from '#contract/limits.ts';
import { limit, limitedByService, ownIdsOnly, perMember } from '#server/http/api/guarantees.ts';
import { member, open } from '#server/http/api/procedures.ts';
import type { Context } from '#server/http/context.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { closeTab, waitingFor } from './presence.service.ts';

const SUCCESS = { success: true as const };

const ownIds = ownIdsOnly(({ userIds }: { userIds: string[] }) => userIds);

/** Passed to the statement that records a group of heartbeats, which counts them without an additional query. */
const tabLimit = limitedByService({ tab: LIMITS.presenceAccountMinute });

interface Seen {
  input: { sessionId: string; waitsFor?: string | undefined };
  context: Context & { me: Viewer; limits: { tab: Limit } };
}

async function see({ input, context: { presence, me, limits } }: Seen): Promise<typeof SUCCESS> {
  await presence.see({
    userId: me.id,
    authSessionId: me.sessionId,
    tabId: input.sessionId,
    waitsFor: input.waitsFor ?? null,
    limit: limits.tab,
  });
  return SUCCESS;
}

export const presenceApi = {
  connect: member.presence.connect.use(ownIds).use(tabLimit).handler(see),
  heartbeat: member.presence.heartbeat.use(ownIds).use(tabLimit).handler(see),
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
    ...(await context.presence.online()),
  })),
};
