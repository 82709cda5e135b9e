import { DEFAULT_SITE_NAME } from '#contract/site.ts';
import { openMail } from '#server/providers/mail/open.ts';
import type { MailTransport } from '#server/providers/mail/port.ts';
import { CALLBACK_PATH, type Payments, realProvider } from '#server/providers/payments/open.ts';
import type { PaymentProvider } from '#server/providers/payments/port.ts';
import { telegramBot } from '#server/providers/telegram/bot-api.ts';
import type { TelegramBot } from '#server/providers/telegram/port.ts';
import type { Settings } from './settings.port.ts';

/** A display name of a mailbox (RFC 5322): quoted when it contains more than letters, digits and spaces. */
const mailName = (name: string): string =>
  /^[\p{L}\p{N} ]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;

/** The sender of mails: the configured one, else the default mailbox with the name of the site. */
export const senderOf = (settings: Pick<Settings, 'get' | 'decided'>): string =>
  settings.decided('mailFrom')
    ? settings.get('mailFrom')
    : settings.get('mailFrom').replace(DEFAULT_SITE_NAME, () => mailName(settings.get('siteName')));

/** An object that is created from settings, and created again when one of them changes. */
function recreatedOnChange<Options, Made>(
  settings: Settings,
  read: () => Options,
  make: (options: Options) => Made,
  close: (made: Made) => void,
) {
  let options = read();
  let made = make(options);
  settings.onChange(() => {
    const next = read();
    if (JSON.stringify(next) === JSON.stringify(options)) return;
    const before = made;
    options = next;
    made = make(next);
    close(before);
  });
  return () => made;
}

/**
 * The mail transport of the current settings. A mail in progress completes on the transport on which it started.
 *
 * @param dataDir where mails are written as files without SMTP.
 */
export function reloadableMail(settings: Settings, dataDir: string): MailTransport {
  const current = recreatedOnChange(
    settings,
    () => ({
      SMTP_URL: settings.get('smtpUrl') ?? undefined,
      MAIL_FROM: senderOf(settings),
      SUPPORT_EMAIL: settings.get('supportEmail') ?? undefined,
      DATA_DIR: dataDir,
    }),
    (env) => openMail(env),
    (before) => before.close(),
  );
  return {
    get target() {
      return current().target;
    },
    get kind() {
      return current().kind;
    },
    send: (mail) => current().send(mail),
    close: () => current().close(),
  };
}

/**
 * The payment provider of the current settings: NOWPayments when its key and callback secret are set, else that of the start of the
 * installation (the simulation of a demo, or none).
 *
 * @param publicUrl our URL for the provider.
 */
export function reloadablePayments(
  settings: Settings,
  started: Payments | null,
  publicUrl: string,
): { readonly provider: PaymentProvider | null; readonly callbackUrl: string } {
  const real = recreatedOnChange(
    settings,
    () => ({
      apiKey: settings.get('paymentsKey'),
      ipnSecret: settings.get('paymentsIpnSecret'),
      oldApiKeys: settings.get('paymentsOldKeys') ?? undefined,
      oldIpnSecrets: settings.get('paymentsOldIpnSecrets') ?? undefined,
      shared: settings.get('paymentsShared'),
      baseUrl: settings.get('paymentsUrl'),
      email: settings.get('paymentsEmail') ?? undefined,
      password: settings.get('paymentsPassword') ?? undefined,
    }),
    ({ apiKey, ipnSecret, ...rest }) => (apiKey && ipnSecret ? realProvider({ apiKey, ipnSecret, ...rest }) : null),
    () => {},
  );
  const simulated = started?.emulator ? started : null;
  return {
    get provider() {
      return real() ?? simulated?.provider ?? null;
    },
    get callbackUrl() {
      return real() ? publicUrl + CALLBACK_PATH : (simulated?.callbackUrl ?? '');
    },
  };
}

/** The Telegram bot of the current settings; none without its token and name. */
export function reloadableTelegram(settings: Settings): {
  readonly bot: TelegramBot | null;
  onChange(listener: () => void): () => void;
} {
  const listeners = new Set<() => void>();
  const bot = recreatedOnChange(
    settings,
    () => ({
      token: settings.get('telegramToken'),
      name: settings.get('telegramBot')?.replace(/^@/, '') ?? null,
      url: settings.get('telegramUrl'),
    }),
    ({ token, name, url }) => (token && name ? telegramBot({ token, name, url }) : null),
    () => {
      for (const listener of listeners) listener();
    },
  );
  return {
    get bot() {
      return bot();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
