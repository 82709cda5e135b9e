import { LIMITS } from '#contract/limits.ts';
import { limit, limitedByService, perMember } from '#server/http/api/guarantees.ts';
import { member, notReady, open } from '#server/http/api/procedures.ts';
import { actorOf } from '#server/http/context.ts';
import { renewSession, signIn, signOut, signUp } from './auth.service.ts';
import { linkAdmin, linkForumUser } from './link-profiles.service.ts';
import { meOf } from './sessions/viewer.service.ts';
import { authRequestOf, clearBrowserCache, completeSignIn, meById, setCookies } from './sign-in-response.service.ts';

export const authApi = {
  me: open.auth.me.handler(async ({ context }) => {
    const viewer = await context.viewer();
    if (!viewer) return null;
    setCookies(context, await renewSession(authRequestOf(context), viewer));
    return meOf(viewer, notReady(context, viewer));
  }),
  signUp: open.auth.signUp
    .use(
      limitedByService({
        attemptHour: LIMITS.signUpAttemptHour,
        hour: LIMITS.signUpAddressHour,
        day: LIMITS.signUpAddressDay,
        mailbox: LIMITS.signUpMailboxDay,
        takenMail: LIMITS.signUpTakenMailDay,
        busyNet: LIMITS.signUpNetHour,
      }),
    )
    .handler(async ({ input, context }) =>
      completeSignIn(context, await signUp(authRequestOf(context), actorOf(context, null), input, context.limits)),
    ),
  signIn: open.auth.signIn
    .use(
      limitedByService({
        minute: LIMITS.signInAddressMinute,
        hour: LIMITS.signInAddressHour,
        account: LIMITS.signInAccountHour,
        device: LIMITS.signInDeviceMinute,
        guesses: LIMITS.signInGuessesHour,
        wrong: LIMITS.signInWrongHour,
        wrongMail: LIMITS.signInWrongMailDay,
      }),
    )
    .handler(async ({ input, context }) =>
      completeSignIn(context, await signIn(authRequestOf(context), actorOf(context, null), input, context.limits)),
    ),
  signOut: open.auth.signOut.handler(async ({ context }) => {
    const viewer = await context.viewer();
    setCookies(context, await signOut(authRequestOf(context), actorOf(context, viewer), viewer));
    clearBrowserCache(context);
    return { ok: true as const };
  }),
  linkAdmin: member.auth.linkAdmin
    .use(limit(perMember('link', LIMITS.linkAccountHour)))
    .handler(async ({ input, context }) => {
      setCookies(context, await linkAdmin(authRequestOf(context), context.actor, context.me, input.email));
      return meById(context, context.me.id);
    }),
  linkForumUser: member.auth.linkForumUser
    .use(limit(perMember('link', LIMITS.linkAccountHour)))
    .handler(async ({ input, context }) => {
      await linkForumUser(context.db, context.actor, context.me, input.forumUserId);
      return meById(context, context.me.id);
    }),
};
