import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';

/** One open tab: a random id made by the page. Whose it is comes from the session. */
const named = z.strictObject({
  sessionId: z.uuid().optional(),
  /** The documents' spelling of the same. */
  session_id: z.uuid().optional(),
  /** Accepted for old callers; anybody but the signed-in member is refused. */
  userId: z.uuid().optional(),
  user_id: z.uuid().optional(),
  /** Id of the NEXT project whose launch the tab waits for. */
  waitsFor: z.uuid().optional(),
});
const anyTab = named.transform(({ sessionId, session_id, userId, user_id, waitsFor }) => ({
  sessionId: sessionId ?? session_id,
  userIds: [userId, user_id].filter((id) => id !== undefined),
  waitsFor,
}));
const tab = anyTab
  .refine(({ sessionId }) => sessionId !== undefined, { path: ['sessionId'] })
  .transform((one) => ({
    ...one,
    sessionId: one.sessionId as string,
  }));
const success = z.object({ success: z.literal(true) });
const byMember = { UNAUTHORIZED: errors.UNAUTHORIZED, FORBIDDEN: errors.FORBIDDEN, RATE_LIMITED: errors.RATE_LIMITED };

export const onlineUser = z.object({ username: z.string(), shortId: z.string(), lastSeen: z.iso.datetime() });
export type OnlineUser = z.infer<typeof onlineUser>;

export const presence = {
  connect: oc
    .route({ method: 'POST', path: '/forum-user-management/connect', tags: ['presence'], summary: 'This tab is open' })
    .errors(byMember)
    .input(tab)
    .output(success),
  heartbeat: oc
    .route({
      method: 'POST',
      path: '/forum-user-management/heartbeat',
      tags: ['presence'],
      summary: 'This tab is still open',
    })
    .errors(byMember)
    .input(tab)
    .output(success),
  /** Without a session id all tabs of the member count as closed. */
  disconnect: oc
    .route({
      method: 'POST',
      path: '/forum-user-management/disconnect',
      tags: ['presence'],
      summary: 'This tab closes',
    })
    .errors(byMember)
    .input(anyTab)
    .output(success),
  /** How many members have the page of a launch open and wait for it, each once; those who hide are counted, not named. */
  waiting: oc
    .route({
      method: 'GET',
      path: '/forum-user-management/waiting/{id}',
      tags: ['presence'],
      summary: 'How many wait for a launch',
    })
    .input(z.strictObject({ id: z.uuid() }))
    .output(z.object({ waiting: z.int().nonnegative() })),
  online: oc
    .route({ method: 'GET', path: '/forum-user-management/online-users', tags: ['presence'], summary: 'Who is here' })
    .output(z.object({ success: z.literal(true), data: z.array(onlineUser), total: z.int().nonnegative() })),
};
