import { LIMITS } from '#contract/limits.ts';
import { accountContext } from '#server/domains/account/account-context.ts';
import { forgetSecondStep } from '#server/domains/auth/open-session.service.ts';
import { authRequestOf, completeSignIn, setCookies } from '#server/domains/auth/sign-in-response.service.ts';
import { limit, perAddress, perMember } from '#server/http/api/guarantees.ts';
import { member, memberAfterStepUp, open } from '#server/http/api/procedures.ts';
import { actorOf } from '#server/http/context.ts';
import {
  addPasskey,
  listPasskeys,
  proveByPasskey,
  removePasskey,
  renamePasskey,
  secondStepByPasskey,
  signInByPasskey,
  startPasskey,
  startPasskeyProof,
  startPasskeySecondStep,
  startPasskeySignIn,
} from './passkeys.service.ts';

const done = { ok: true as const };
const ofMember = limit(perMember('passkey', LIMITS.passkeyHour));
const ofAddress = limit(perAddress('passkey', LIMITS.passkeyHour));

export const passkeysApi = {
  list: member.account.passkeys.list.handler(({ context }) => listPasskeys(context.db, context.me.id)),
  startAdding: memberAfterStepUp.account.passkeys.startAdding
    .use(ofMember)
    .handler(({ context }) => startPasskey(accountContext(context))),
  add: memberAfterStepUp.account.passkeys.add
    .use(ofMember)
    .handler(({ input, context }) => addPasskey(accountContext(context), input)),
  rename: member.account.passkeys.rename
    .use(ofMember)
    .handler(({ input, context }) => renamePasskey(accountContext(context), input)),
  remove: memberAfterStepUp.account.passkeys.remove.use(ofMember).handler(async ({ input, context }) => {
    await removePasskey(accountContext(context), input);
    return done;
  }),
  startProof: member.account.passkeys.startProof
    .use(ofMember)
    .handler(({ context }) => startPasskeyProof(accountContext(context))),
  prove: member.account.passkeys.prove.use(ofMember).handler(async ({ input, context }) => {
    await proveByPasskey(accountContext(context), input.response);
    return done;
  }),
  startSignIn: open.account.passkeys.startSignIn
    .use(ofAddress)
    .handler(({ context }) => startPasskeySignIn(authRequestOf(context))),
  signIn: open.account.passkeys.signIn
    .use(ofAddress)
    .handler(async ({ input, context }) =>
      completeSignIn(context, await signInByPasskey(authRequestOf(context), actorOf(context, null), input.response)),
    ),
  startSecondStep: open.account.passkeys.startSecondStep
    .use(ofAddress)
    .handler(({ context }) => startPasskeySecondStep(authRequestOf(context))),
  secondStep: open.account.passkeys.secondStep.use(ofAddress).handler(async ({ input, context }) => {
    const admitted = await secondStepByPasskey(authRequestOf(context), actorOf(context, null), input.response);
    setCookies(context, await forgetSecondStep(context.auth));
    return completeSignIn(context, admitted);
  }),
};
