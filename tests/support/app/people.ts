import { createHmac } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';
import type { OutgoingMail } from '#server/providers/mail/port.ts';
import type { Browser, TestApp } from '#tests/support/app/test-app.ts';

export const PASSWORD = 'twelve-or-more';
let serial = 0;

/** People who sign up with a password and read their mail, each from an address of their own. */
export function peopleOf(app: TestApp) {
  const address = () => `198.${18 + Math.floor(++serial / 250)}.${serial % 250}.7`;
  const email = () => `p${++serial}@florka.test`;

  async function mailsTo(to: string): Promise<OutgoingMail[]> {
    return (await app.deliverMails()).filter((mail) => mail.to === to);
  }
  const tokenIn = (mail: OutgoingMail | undefined): string => /#token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? 'none';
  const codeIn = (mail: OutgoingMail | undefined): string => /\b(\d{6})\b/.exec(mail?.subject ?? '')?.[1] ?? 'none';

  return {
    address,
    email,
    mailsTo,
    tokenIn,
    codeIn,
    /** The token of the newest mail to this mailbox. */
    newestToken: async (to: string) => tokenIn((await mailsTo(to)).at(-1)),
    newestCode: async (to: string) => codeIn((await mailsTo(to)).at(-1)),
    async newcomer(over: { email?: string; password?: string; verified?: boolean; locale?: 'es' | 'en' } = {}) {
      const from = address();
      const browser = app.browser({ address: from });
      const me = await browser.api.auth.signUp({
        email: over.email ?? email(),
        password: over.password ?? PASSWORD,
        locale: over.locale ?? 'es',
      });
      if (over.verified) await app.sql('update users set email_verified = true where id = $1', [me.id]);
      return { browser, api: browser.api, id: me.id, email: me.email, address: from };
    },
    /** Another browser of the same person. */
    async signIn(to: string, password = PASSWORD, from = address()): Promise<Browser> {
      const browser = app.browser({ address: from });
      await browser.api.auth.signIn({ email: to, password });
      return browser;
    },
    /** Turns the second factor on; codes of later steps come from `code()`. */
    async withSecondFactor(browser: Browser, password = PASSWORD) {
      const { secret } = await browser.api.account.startSecondFactor({ password });
      const code = (ahead = 0) => totp(secret, app.now.getTime() + ahead * 30_000);
      const { recoveryCodes } = await browser.api.account.confirmSecondFactor({ code: code(), locale: 'es' });
      app.pass(60_000);
      return { secret, code, recoveryCodes };
    },
  };
}

/** An authenticator app, implemented independently of the server. */
export function totp(secret: string, at: number): string {
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(at / 30_000)));
  const mac = createHmac('sha1', base32.decode(secret)).update(new Uint8Array(counter.buffer)).digest();
  const from = (mac.at(-1) ?? 0) & 15;
  const number = new DataView(mac.buffer, mac.byteOffset + from, 4).getUint32(0) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
