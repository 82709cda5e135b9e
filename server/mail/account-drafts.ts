// Mails to members about their own account.
import type { MailTexts } from './texts.ts';

/** Data of mails to members about their own account. */
export interface AccountMails {
  secondFactorChanged: { on: boolean };
  passkeyChanged: { on: boolean };
  walletChanged: { on: boolean; address: string };
  /** Name of the account in Telegram. */
  telegramLinked: { name: string };
  /** Minimum number of wrong passwords within an hour. */
  wrongPasswords: { attempts: number };
  /** The address of an existing account was entered in the sign-up form. */
  signUpTried: Record<string, never>;
  /** A staff member viewed the account as the member sees it. */
  accountViewed: { at: string };
}

export const accountDrafts = {
  secondFactorChanged: ({ on }: AccountMails['secondFactorChanged'], { secondFactorChanged }: MailTexts) => ({
    subject: secondFactorChanged.subject,
    body: secondFactorChanged.body(on),
  }),
  wrongPasswords: ({ attempts }: AccountMails['wrongPasswords'], { wrongPasswords }: MailTexts) => ({
    subject: wrongPasswords.subject,
    body: wrongPasswords.body(attempts),
  }),
  signUpTried: (_data: AccountMails['signUpTried'], { signUpTried }: MailTexts) => ({
    subject: signUpTried.subject,
    body: signUpTried.body,
    link: { path: '/auth', label: signUpTried.button },
  }),
  accountViewed: ({ at }: AccountMails['accountViewed'], { accountViewed }: MailTexts) => ({
    subject: accountViewed.subject,
    body: accountViewed.body(at),
  }),
  passkeyChanged: ({ on }: AccountMails['passkeyChanged'], { passkeyChanged }: MailTexts) => ({
    subject: passkeyChanged.subject,
    body: passkeyChanged.body(on),
  }),
  telegramLinked: ({ name }: AccountMails['telegramLinked'], { telegramLinked }: MailTexts) => ({
    subject: telegramLinked.subject,
    body: telegramLinked.body(name),
    link: { path: telegramLinked.path, label: telegramLinked.button },
  }),
  walletChanged: ({ on, address }: AccountMails['walletChanged'], { walletChanged }: MailTexts) => ({
    subject: walletChanged.subject,
    body: walletChanged.body(on, address),
  }),
};
