import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { SiteNotices } from '#contract/domains/settings.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { isDatabaseAway } from '#server/db/failures.ts';
import { telegramBots } from '#server/db/tables/telegram.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type TelegramBot, TelegramError, type TelegramUpdate } from '#server/providers/telegram/port.ts';
import { answer, endLink, linkChat, localeOf, memberOf } from './links.service.ts';
import { sendTelegram } from './send.service.ts';
import type { TelegramService } from './telegram.port.ts';
import { holdReader, takeUpdate } from './telegram.sql.ts';

/** Long-polling timeout at Telegram, and lease of the reading process. Seconds. */
const POLL_SECONDS = 25;
const LEASE_SECONDS = 60;
/** Delays: of a process that does not hold the lease, and the first and longest backoff after failures. Milliseconds. */
const STANDBY_MS = 10_000;
const BACKOFF_MS = { first: 1_000, max: 60_000 };
const COMMAND = /^\/(?<name>start|stop|help)(?:@\w+)?(?:\s+(?<rest>\S+))?\s*$/i;

export interface Reading {
  db: Db;
  jobs: JobQueue;
  telegram: TelegramService;
  secret: string;
  publicUrl: string;
  settings: { site(): SiteNotices['site'] };
  now: () => Date;
}

/**
 * Reads new messages to the bot once, processes them and sends the replies, if this process holds or acquires the reader lease.
 * Each update is processed once: the offset is stored in the transaction of its effects.
 *
 * @param holder identifies this process. @param wait seconds for the first update. @param onFailed an update could not be
 *   processed; it is skipped, and the next ones are processed.
 * @returns the number of updates; null while another process reads, or there is no bot.
 */
export async function readUpdates(
  service: Reading,
  {
    holder,
    wait,
    signal,
    onFailed,
  }: { holder: string; wait: number; signal?: AbortSignal; onFailed: (error: unknown) => void },
): Promise<number | null> {
  const { db, telegram } = service;
  const { bot } = telegram;
  if (!bot) return null;
  const [held] = await holdReader(db, { bot: bot.id, holder, seconds: LEASE_SECONDS });
  if (!held) return null;
  const updates = await bot.updates(held.nextUpdate, wait, signal);
  for (const update of updates) {
    const readPosition = { bot: bot.id, holder, update: update.id };
    try {
      await db.transaction(async (tx) => {
        const [mine] = await takeUpdate(tx, readPosition);
        if (mine) await follow(tx, service, bot, update);
      });
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      onFailed(error);
      await takeUpdate(db, readPosition);
    }
  }
  if (updates.length > 0) await sendTelegram(service);
  return updates.length;
}

/** Processes one update. Groups, channels and other bots are ignored. */
async function follow(tx: Tx, { jobs, now: clock }: Reading, bot: TelegramBot, update: TelegramUpdate): Promise<void> {
  const { chat, text, left } = update;
  const now = clock();
  if (!chat) return;
  if (left) return void (await endLink(tx, jobs, { bot: bot.id, chat: chat.id, gone: true, now }));
  if (text === null) return;
  const { name = 'help', rest } = COMMAND.exec(text)?.groups ?? {};
  const command = name.toLowerCase();
  if (command === 'start' && rest !== undefined) {
    const { userId, ...reply } = await linkChat(tx, jobs, rest, { bot, chat, now });
    return answer(tx, {
      bot: bot.id,
      chat: chat.id,
      ...reply,
      locale: await languageOf(tx, userId, chat.language),
      now,
    });
  }
  const userId =
    command === 'stop'
      ? await endLink(tx, jobs, { bot: bot.id, chat: chat.id, gone: false, now })
      : await memberOf(tx, bot.id, chat.id);
  const reply = userId === null ? 'not_linked' : command === 'stop' ? 'stopped' : 'help';
  await answer(tx, { bot: bot.id, chat: chat.id, reply, locale: await languageOf(tx, userId, chat.language), now });
}

/** The member's language; for an unknown person Spanish if their Telegram uses it, else English. */
const languageOf = async (tx: Tx, userId: string | null, language: string): Promise<'es' | 'en'> =>
  userId ? localeOf(tx, userId) : /^es\b/i.test(language) ? 'es' : 'en';

/**
 * Reads messages to the bot while this process runs, one process at a time.
 *
 * @returns a function that stops it, and releases the lease immediately.
 */
export function startTelegramBot(service: Reading, log: Logger): () => Promise<void> {
  const holder = randomUUID();
  const { telegram, db } = service;
  let stopped = false;
  let stop = new AbortController();
  let pause = BACKOFF_MS.first;
  let wake = () => {};
  // A new token takes effect immediately, even during a long poll.
  const follow = telegram.onChange(() => {
    pause = BACKOFF_MS.first;
    stop.abort();
    stop = new AbortController();
    wake();
  });
  const onFailed = (error: unknown) => log.warn({ err: error }, 'an update of Telegram was left out');

  async function once(): Promise<number> {
    const { signal } = stop;
    try {
      const began = performance.now();
      const came = await readUpdates(service, { holder, wait: POLL_SECONDS, signal, onFailed });
      pause = BACKOFF_MS.first;
      if (came === null) return STANDBY_MS;
      // Prevents a busy loop with a server that does not support long polling.
      return came === 0 && performance.now() - began < BACKOFF_MS.first ? BACKOFF_MS.first : 0;
    } catch (error) {
      if (stopped || signal.aborted) return 0;
      const why = error instanceof TelegramError ? error.why : null;
      log.warn(why ? { why, detail: (error as Error).message } : { err: error }, 'Telegram is not read');
      pause = Math.min(pause * 2, BACKOFF_MS.max);
      // Neither problem resolves itself.
      return why === 'token' || why === 'taken' ? BACKOFF_MS.max : pause;
    }
  }
  async function run(): Promise<void> {
    while (!stopped) {
      const ms = await once();
      if (ms > 0 && !stopped)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms).unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
    }
  }
  const running = run();
  return async () => {
    stopped = true;
    follow();
    stop.abort();
    wake();
    await running;
    await db.update(telegramBots).set({ leasedUntil: sql`clock_timestamp()` }).where(eq(telegramBots.holder, holder));
  };
}
