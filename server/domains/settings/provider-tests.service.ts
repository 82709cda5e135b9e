import { randomBytes, randomUUID } from 'node:crypto';
import { offeredLanguage } from '#contract/site.ts';
import type { Db } from '#server/db/client.ts';
import { audit } from '#server/lib/audit.ts';
import { renderMail } from '#server/mail/templates.ts';
import type { MailTransport } from '#server/providers/mail/port.ts';
import type { PaymentProvider } from '#server/providers/payments/port.ts';
import type { TelegramBot } from '#server/providers/telegram/port.ts';
import type { Editor } from '#server/records/records.ts';
import type { Settings } from './settings.port.ts';

/** US dollars of a test invoice: above the provider's minimum for most coins. */
const PRICE_USD = 20;
/** Characters of another server's message that are shown. */
const MAX_SHOWN = 300;

interface TestResult {
  ok: boolean;
  target: string;
  detail: string | null;
  url: string | null;
}

const messageOf = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).slice(0, MAX_SHOWN);

/** Sends a mail to the admin, bypassing the queue, to show the response of the mail server. */
export async function sendTestMail(
  db: Db,
  services: { mail: MailTransport; publicUrl: string; settings: Pick<Settings, 'site'> },
  by: Editor,
  to: { email: string; locale: 'es' | 'en' },
): Promise<TestResult> {
  const { mail, publicUrl } = services;
  const { target } = mail;
  const site = services.settings.site();
  const detail = await mail
    .send({
      ...renderMail('test', {}, offeredLanguage(to.locale, site.languages), publicUrl, site.name),
      to: to.email,
      messageId: `<${randomUUID()}@${new URL(publicUrl).hostname}>`,
    })
    .then(() => null, messageOf);
  await auditTest(db, by, 'setting.mail_tested', detail === null);
  return { ok: detail === null, target, detail, url: null };
}

/** Creates an invoice at the provider that belongs to no order. A payment of it appears as unplaced money. */
export async function createTestInvoice(
  db: Db,
  services: { payments: { provider: PaymentProvider | null; callbackUrl: string }; publicUrl: string },
  by: Editor,
): Promise<TestResult> {
  const { provider, callbackUrl } = services.payments;
  if (!provider) return { ok: false, target: '', detail: null, url: null };
  const { publicUrl } = services;
  const made = await provider
    .createInvoice({
      orderId: `TEST-${randomBytes(5).toString('hex')}`,
      priceUsd: PRICE_USD,
      description: 'Test',
      callbackUrl,
      returnUrl: `${publicUrl}/admin/settings`,
    })
    .then(
      ({ url }) => ({ url, detail: null }),
      (error: unknown) => ({ url: null, detail: messageOf(error) }),
    );
  await auditTest(db, by, 'setting.payment_tested', made.url !== null);
  return { ok: made.url !== null, target: provider.target, ...made };
}

/** Queries the bot at Telegram: whether the token is valid, and the name belongs to it. No message is sent. */
export async function testTelegram(db: Db, bot: TelegramBot | null, by: Editor): Promise<TestResult> {
  if (!bot) return { ok: false, target: '', detail: null, url: null };
  const result = await bot.whoami().then(
    (name) => ({ ok: name.toLowerCase() === bot.name.toLowerCase(), detail: `@${name}` }),
    (error: unknown) => ({ ok: false, detail: messageOf(error) }),
  );
  await auditTest(db, by, 'setting.telegram_tested', result.ok);
  return { target: bot.target, url: null, ...result };
}

type TestAction = 'setting.mail_tested' | 'setting.payment_tested' | 'setting.telegram_tested';
const auditTest = (db: Db, by: Editor, action: TestAction, taken: boolean) =>
  db.transaction((tx) => audit(tx, by.actor, { action, resourceType: 'setting', after: { taken } }));
