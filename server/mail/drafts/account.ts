// Mails to members and staff about their own account.
import type { MailTexts } from '../texts.ts';
import type { Draft, EndingLink, MailSite } from './draft.ts';

/** Data of mails about the recipient's own account; links are paths on the site. */
export interface AccountMails {
  verifyEmail: EndingLink;
  changeEmail: EndingLink;
  emailChanged: { to: string };
  resetPassword: EndingLink;
  accountCreated: EndingLink;
  /** `gone`: the password was removed without a new one. Absent in mails that an earlier version queued. */
  passwordChanged: { gone?: boolean };
  signInCode: { code: string; until: string };
  secondFactorChanged: { on: boolean };
  passkeyChanged: { on: boolean };
  walletChanged: { on: boolean; address: string };
  /** Name of the account in Telegram. */
  telegramLinked: { name: string };
  telegramUnlinked: Record<string, never>;
  /** Minimum number of wrong passwords within an hour. */
  wrongPasswords: { attempts: number };
  /** The address of an existing account was entered in the sign-up form. */
  signUpTried: Record<string, never>;
  /** A sign-in from a browser in which the account was not signed in before; `device` is empty when it is not recognised. */
  newSignIn: { at: string; device: string };
  /** A staff member viewed the account as the member sees it. */
  accountViewed: { at: string };
  /** Whether the member or the team deleted the account. */
  accountRemoved: { by: 'member' | 'team' };
}

export const accountDrafts: {
  [T in keyof AccountMails]: (data: AccountMails[T], texts: MailTexts, site: MailSite) => Draft;
} = {
  verifyEmail: ({ path }, { verifyEmail }) => ({
    ...verifyEmail,
    link: { path, label: verifyEmail.button },
    ignorable: true,
  }),
  changeEmail: ({ path }, { changeEmail }) => ({
    ...changeEmail,
    link: { path, label: changeEmail.button },
    ignorable: true,
  }),
  emailChanged: ({ to }, { emailChanged }, { supportEmail }) => ({
    subject: emailChanged.subject,
    body: emailChanged.body(to, supportEmail),
  }),
  resetPassword: ({ path }, { resetPassword }) => ({
    ...resetPassword,
    link: { path, label: resetPassword.button },
    ignorable: true,
  }),
  accountCreated: ({ path }, { accountCreated }) => ({
    ...accountCreated,
    link: { path, label: accountCreated.button },
    ignorable: true,
  }),
  passwordChanged: ({ gone = false }, { passwordChanged, passwordGone }) => ({
    subject: (gone ? passwordGone : passwordChanged).subject,
    body: (gone ? passwordGone : passwordChanged).body,
    link: { path: passwordChanged.path, label: passwordChanged.button },
  }),
  signInCode: ({ code }, { signInCode }) => ({
    subject: signInCode.subject(code),
    body: signInCode.body(code),
    code,
    ignorable: true,
  }),
  secondFactorChanged: ({ on }, { secondFactorChanged, passwordChanged }, { supportEmail }) => ({
    subject: secondFactorChanged.subject,
    body: secondFactorChanged.body(on, supportEmail),
    // The page where a member who did not turn it on can choose another password.
    ...(on ? { link: { path: passwordChanged.path, label: passwordChanged.button } } : {}),
  }),
  wrongPasswords: ({ attempts }, { wrongPasswords }) => ({
    subject: wrongPasswords.subject,
    body: wrongPasswords.body(attempts),
  }),
  signUpTried: (_data, { signUpTried }) => ({
    subject: signUpTried.subject,
    body: signUpTried.body,
    link: { path: signUpTried.path, label: signUpTried.button },
  }),
  newSignIn: ({ at, device }, { newSignIn }) => ({
    subject: newSignIn.subject,
    body: newSignIn.body(at, device),
    link: { path: newSignIn.path, label: newSignIn.button },
  }),
  accountViewed: ({ at }, { accountViewed }, { supportEmail }) => ({
    subject: accountViewed.subject,
    body: accountViewed.body(at, supportEmail),
  }),
  accountRemoved: ({ by }, { accountRemoved }, { supportEmail }) => ({
    subject: accountRemoved.subject,
    body: accountRemoved.body(by, supportEmail),
  }),
  passkeyChanged: ({ on }, { passkeyChanged }, { supportEmail }) => ({
    subject: passkeyChanged.subject,
    body: passkeyChanged.body(on, supportEmail),
  }),
  telegramLinked: ({ name }, { telegramLinked }) => ({
    subject: telegramLinked.subject,
    body: telegramLinked.body(name),
    link: { path: telegramLinked.path, label: telegramLinked.button },
  }),
  telegramUnlinked: (_data, { telegramUnlinked, telegramLinked }) => ({
    ...telegramUnlinked,
    link: { path: telegramLinked.path, label: telegramLinked.button },
  }),
  walletChanged: ({ on, address }, { walletChanged }) => ({
    subject: walletChanged.subject,
    body: walletChanged.body(on, address),
  }),
};
