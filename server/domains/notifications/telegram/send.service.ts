import { eq, sql } from 'drizzle-orm';
import type { SiteNotices } from '#contract/domains/settings.ts';
import { offeredLanguage, withSiteName } from '#contract/site.ts';
import type { Db } from '#server/db/client.ts';
import { telegramBots, telegramMessages } from '#server/db/tables/telegram.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type TelegramBot, TelegramError } from '#server/providers/telegram/port.ts';
import { isObsolete, quietEnd } from '../delivery.policy.ts';
import { notificationOf } from '../list.service.ts';
import { DEFAULT_TIME_ZONE } from '../quiet-hours.policy.ts';
import { endLink } from './links.service.ts';
import { escapeHtml, messageOf } from './message.ts';
import type { TelegramService } from './telegram.port.ts';
import { claimMessage, readNotification } from './telegram.sql.ts';
import { telegramTexts } from './texts.ts';

/** Messages per round, attempts of each, and duration of a claim. */
const MESSAGES = 300;
const ATTEMPTS = 6;
const CLAIM_MS = 120_000;
const MINUTE = 60_000;
/** Number of repeats of a message that may have arrived before. */
const REPEATS = 1;

export interface Sending {
  db: Db;
  jobs: JobQueue;
  telegram: TelegramService;
  secret: string;
  publicUrl: string;
  settings: { site(): SiteNotices['site'] };
  /** Read for each message: a run can last for minutes, and a claim begins with its message. */
  now: () => Date;
}
type Claimed = Awaited<ReturnType<typeof claimMessage>>[number];

/**
 * Sends due Telegram messages, longest due first, until there are none or Telegram fails. Safe to run in several processes: each
 * message is claimed. Telegram has no deduplication: a message with an unknown result (the process ended, or no response came) is
 * sent once more with a note, and never again after that.
 *
 * @returns the number of claimed messages.
 */
export async function sendTelegram(service: Sending): Promise<number> {
  const { db, telegram } = service;
  const { bot } = telegram;
  let sent = 0;
  for (let n = 0; bot && n < MESSAGES; n++) {
    const now = service.now();
    const [row] = await claimMessage(db, { bot: bot.id, now, until: new Date(now.getTime() + CLAIM_MS) });
    if (!row) break;
    const done = await sendOne(service, bot, row, now);
    if (done === 'sent') sent++;
    if (done === 'unavailable') break;
  }
  return sent;
}

/** 'unavailable': the next message would fail too. */
async function sendOne(
  service: Sending,
  bot: TelegramBot,
  row: Claimed,
  now: Date,
): Promise<'sent' | 'not' | 'unavailable'> {
  const { db } = service;
  const notification = row.notification === null ? null : await stillWanted(db, row, row.notification, now);
  if (notification === 'not') return 'not';
  if (row.unsure > REPEATS || row.attempts > ATTEMPTS) {
    await settle(db, row, 'failed');
    return 'not';
  }
  try {
    await bot.send(row.chat, textOf(service, row, notification));
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error;
    return await afterProblem(service, bot, row, error, now);
  }
  await settle(db, row, 'sent');
  return 'sent';
}

/** The notification of a message; 'not' when it became unwanted since the message was created, or waits for the end of quiet hours. */
async function stillWanted(db: Db, row: Claimed, id: string, now: Date) {
  const [found] = await readNotification(db, { id, now, zone: DEFAULT_TIME_ZONE });
  if (!found || isObsolete(found) || found.telegram === false) {
    await db.delete(telegramMessages).where(eq(telegramMessages.id, row.id));
    return 'not';
  }
  const quiet = quietEnd(found, now);
  if (!quiet) return found;
  // Does not count as an attempt.
  await wait(db, row, { dueAt: quiet, attempts: row.attempts - 1 });
  return 'not';
}

/** Current text of a message: of a notification, or of a reply to a command. */
function textOf(
  { secret, publicUrl, settings }: Sending,
  { reply, about, unsure, ...row }: Claimed,
  notification: Parameters<typeof notificationOf>[0] | null,
): string {
  const { name, languages } = settings.site();
  const locale = offeredLanguage(row.locale, languages);
  if (notification) return messageOf(notificationOf(notification, secret, locale), locale, publicUrl, unsure > 0);
  // The table requires one of both.
  if (!reply) throw new Error('a Telegram message without a notification and without a reply');
  return escapeHtml(withSiteName(telegramTexts[locale], name).replies[reply](about ?? '', publicUrl));
}

async function afterProblem(
  { db, jobs }: Sending,
  bot: TelegramBot,
  row: Claimed,
  { why, retryAfter }: TelegramError,
  now: Date,
): Promise<'not' | 'unavailable'> {
  const later = (ms: number) => new Date(now.getTime() + ms);
  if (why === 'gone' || why === 'refused') {
    if (why === 'gone')
      await db.transaction((tx) => endLink(tx, jobs, { bot: bot.id, chat: row.chat, gone: true, now }));
    // The message of a notification was deleted with its link.
    await settle(db, row, 'failed');
    return 'not';
  }
  if (why === 'busy') {
    const until = later((retryAfter ?? 60) * 1_000);
    await db
      .insert(telegramBots)
      .values({ botId: bot.id, leasedUntil: sql`'-infinity'`, pausedUntil: until })
      .onConflictDoUpdate({ target: telegramBots.botId, set: { pausedUntil: until } });
    // Does not count as an attempt: Telegram did not process the message.
    await wait(db, row, { dueAt: until, attempts: row.attempts - 1 });
    return 'unavailable';
  }
  const unsure = row.unsure + (why === 'unsure' ? 1 : 0);
  if (unsure > REPEATS || row.attempts >= ATTEMPTS) await settle(db, row, 'failed');
  else await wait(db, row, { dueAt: later(why === 'unsure' ? MINUTE : 2 ** row.attempts * MINUTE), unsure });
  return 'unavailable';
}

const settle = (db: Db, { id }: Claimed, state: 'sent' | 'failed') =>
  db.update(telegramMessages).set({ state }).where(eq(telegramMessages.id, id));
const wait = (db: Db, { id }: Claimed, change: { dueAt: Date; attempts?: number; unsure?: number }) =>
  db
    .update(telegramMessages)
    .set({ state: 'waiting', ...change })
    .where(eq(telegramMessages.id, id));
