import { LIMITS } from '#contract/limits.ts';
import { passkeysApi } from '#server/domains/account/passkeys/passkeys.api.ts';
import {
  completeStepUp,
  confirmSecondFactor,
  removeSecondFactor,
  startSecondFactor,
} from '#server/domains/account/second-factor/second-factor.service.ts';
import { walletsApi } from '#server/domains/account/wallets/wallets.api.ts';
import { forgetSecondStep, forgetSession } from '#server/domains/auth/open-session.service.ts';
import { confirmsPassword, confirmsSecondFactor } from '#server/domains/auth/passwords/confirm-password.service.ts';
import {
  authRequestOf,
  clearBrowserCache,
  completeSignIn,
  meById,
  setCookies,
} from '#server/domains/auth/sign-in-response.service.ts';
import { limit, limitedByService, perAddress, perMember } from '#server/http/api/guarantees.ts';
import { lacksSecondFactor, member, memberAfterStepUp, open } from '#server/http/api/procedures.ts';
import { actorOf } from '#server/http/context.ts';
import { mailTarget } from '#server/providers/mail/open.ts';
import { changePassword, overview, setPresence, setUsername } from './account.service.ts';
import { accountContext } from './account-context.ts';
import { exportAccount } from './export.service.ts';
import { changeEmail, sendVerification, verifyEmail } from './mailbox.service.ts';
import {
  provideSecondFactor,
  requestPasswordReset,
  requestSignInCode,
  resetPassword,
  signInWithCode,
} from './recovery.service.ts';
import { removeAccount } from './removal.service.ts';
import { listSessions, revokeOtherSessions, revokeSession } from './sessions.service.ts';

const done = { ok: true as const };

export const accountApi = {
  passkeys: passkeysApi,
  wallets: walletsApi,
  overview: member.account.overview.handler(({ context }) =>
    overview(
      context.db,
      context.me,
      { mailTarget: mailTarget(), secondFactorNeeded: lacksSecondFactor(context, context.me), site: context },
      context.now(),
    ),
  ),
  setUsername: member.account.setUsername
    .use(limitedByService({ changes: LIMITS.linkAccountHour }))
    .handler(async ({ input, context }) => {
      await setUsername(accountContext(context), input.username, context.limits.changes);
      return meById(context, context.me.id);
    }),
  setPresence: member.account.setPresence
    .use(limit(perMember('presence', LIMITS.reactionMinute)))
    .handler(async ({ input, context }) => {
      await setPresence(accountContext(context), input.hide);
      return done;
    }),
  sendVerification: member.account.sendVerification
    .use(limit(perMember('mail', LIMITS.mailAccountHour)))
    .handler(async ({ input, context }) => {
      await sendVerification(accountContext(context), input.locale);
      return done;
    }),
  verifyEmail: open.account.verifyEmail
    .use(limit(perAddress('token', LIMITS.signInAddressHour)))
    .handler(async ({ input, context }) => {
      const viewer = await context.viewer();
      const request = { ...authRequestOf(context), viewer, actor: actorOf(context, viewer) };
      const { cookies, ...verified } = await verifyEmail(request, input.token);
      setCookies(context, cookies);
      return verified;
    }),
  changeEmail: member.account.changeEmail
    .use(confirmsPassword(({ password }: { password: string }) => password))
    .use(confirmsSecondFactor)
    .use(limit(perMember('mail', LIMITS.mailAccountHour)))
    .use(limitedByService({ mailbox: LIMITS.mailboxChangeDay }))
    .handler(async ({ input, context }) => {
      await changeEmail(accountContext(context), input, context.limits.mailbox);
      return done;
    }),
  changePassword: member.account.changePassword
    .use(confirmsPassword(({ current }: { current: string }) => current))
    .use(confirmsSecondFactor)
    .handler(async ({ input, context }) => {
      await changePassword(accountContext(context), input);
      return done;
    }),
  sessions: member.account.sessions.handler(({ context }) => listSessions(context.db, context.me, context.now())),
  revokeSession: memberAfterStepUp.account.revokeSession.handler(async ({ input, context }) => {
    await revokeSession(context.db, context.actor, context.me, input.id);
    return done;
  }),
  revokeOtherSessions: memberAfterStepUp.account.revokeOtherSessions.handler(async ({ context }) => {
    await revokeOtherSessions(context.db, context.actor, context.me);
    return done;
  }),
  startSecondFactor: member.account.startSecondFactor
    .use(confirmsPassword(({ password }: { password: string }) => password))
    .handler(({ context }) => startSecondFactor(accountContext(context))),
  confirmSecondFactor: member.account.confirmSecondFactor
    .use(limit(perMember('second-factor:setup', LIMITS.codeAttemptsAccount)))
    .handler(async ({ input, context }) => ({
      recoveryCodes: await confirmSecondFactor(accountContext(context), input.code, input.locale),
    })),
  removeSecondFactor: member.account.removeSecondFactor
    .use(confirmsPassword(({ password }: { password: string }) => password))
    .use(limit(perMember('second-factor:setup', LIMITS.codeAttemptsAccount)))
    .handler(async ({ input, context }) => {
      await removeSecondFactor(accountContext(context), input);
      return done;
    }),
  prove: member.account.prove
    .use(limitedByService({ password: LIMITS.passwordProofHour, code: LIMITS.codeAttemptsAccount }))
    .handler(async ({ input, context }) => {
      await completeStepUp(accountContext(context), input, context.limits);
      return done;
    }),
  export: member.account.export
    .use(limitedByService({ exports: LIMITS.exportAccountDay }))
    .handler(({ context }) => exportAccount(accountContext(context), context.limits.exports)),
  remove: member.account.remove
    .use(confirmsPassword(({ password }: { password: string }) => password))
    .use(confirmsSecondFactor)
    .handler(async ({ context }) => {
      await removeAccount(accountContext(context));
      setCookies(context, await forgetSession(context.auth));
      clearBrowserCache(context);
      return done;
    }),

  requestPasswordReset: open.account.requestPasswordReset
    .use(
      limitedByService({
        account: LIMITS.resetAccountHour,
        address: LIMITS.resetAddressDay,
        mail: LIMITS.mailAccountHour,
      }),
    )
    .handler(async ({ input, context }) => {
      await requestPasswordReset(authRequestOf(context), actorOf(context, null), input, context.limits);
      return done;
    }),
  resetPassword: open.account.resetPassword
    .use(limit(perAddress('token', LIMITS.signInAddressHour)))
    .handler(async ({ input, context }) => {
      await resetPassword(authRequestOf(context), actorOf(context, null), input);
      return done;
    }),
  requestSignInCode: open.account.requestSignInCode
    .use(
      limitedByService({
        account: LIMITS.codeAccountHour,
        address: LIMITS.codeAddressHour,
        mail: LIMITS.mailAccountHour,
      }),
    )
    .handler(async ({ input, context }) => {
      const cookie = await requestSignInCode(authRequestOf(context), actorOf(context, null), input, context.limits);
      setCookies(context, [cookie]);
      return done;
    }),
  signInWithCode: open.account.signInWithCode
    .use(
      limit(
        perAddress('code-try', LIMITS.codeAttemptsAccount, ({ email }: { email: string }) => email),
        perAddress('code-try:address', LIMITS.signInAddressHour),
      ),
    )
    .handler(async ({ input, context }) =>
      completeSignIn(context, await signInWithCode(authRequestOf(context), actorOf(context, null), input)),
    ),
  provideSecondFactor: open.account.provideSecondFactor
    .use(limitedByService({ attempts: LIMITS.codeAttemptsAccount }))
    .handler(async ({ input, context }) => {
      const admitted = await provideSecondFactor(
        authRequestOf(context),
        actorOf(context, null),
        input.code,
        context.limits.attempts,
      );
      setCookies(context, await forgetSecondStep(context.auth));
      return completeSignIn(context, admitted);
    }),
};
