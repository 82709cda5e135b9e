import { LIMITS } from '#contract/limits.ts';
import { accountContext } from '#server/domains/account/account-context.ts';
import { rememberWallet } from '#server/domains/auth/open-session.service.ts';
import { authRequestOf, completeSignIn, setCookies } from '#server/domains/auth/sign-in-response.service.ts';
import { limit, perAddress, perMember } from '#server/http/api/guarantees.ts';
import { member, memberAfterStepUp, open } from '#server/http/api/procedures.ts';
import { actorOf } from '#server/http/context.ts';
import {
  linkWallet,
  listWallets,
  signInByWallet,
  startLinking,
  startWalletSignIn,
  unlinkWallet,
} from './wallets.service.ts';

const ofMember = limit(perMember('wallet', LIMITS.walletHour));
const ofAddress = limit(perAddress('wallet', LIMITS.walletHour));

export const walletsApi = {
  list: member.account.wallets.list.handler(({ context }) => listWallets(context.db, context.me.id)),
  startLinking: memberAfterStepUp.account.wallets.startLinking
    .use(ofMember)
    .handler(({ input, context }) => startLinking(accountContext(context), input)),
  link: memberAfterStepUp.account.wallets.link
    .use(ofMember)
    .handler(({ input, context }) => linkWallet(accountContext(context), input)),
  unlink: memberAfterStepUp.account.wallets.unlink.use(ofMember).handler(async ({ input, context }) => {
    await unlinkWallet(accountContext(context), input);
    return { ok: true as const };
  }),
  startSignIn: open.account.wallets.startSignIn.use(ofAddress).handler(async ({ input, context }) => {
    const { cookie, ...text } = await startWalletSignIn(authRequestOf(context), input);
    setCookies(context, [cookie]);
    return text;
  }),
  signIn: open.account.wallets.signIn.use(ofAddress).handler(async ({ input, context }) => {
    const admission = await signInByWallet(authRequestOf(context), actorOf(context, null), input);
    setCookies(context, [await rememberWallet(context, '')]);
    return completeSignIn(context, admission);
  }),
};
