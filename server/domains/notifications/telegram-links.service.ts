import { and, eq, gt, sql } from 'drizzle-orm';
import { TELEGRAM_CODE_MINUTES } from '#contract/domains/notifications.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { telegramChats, telegramLinkCodes, telegramMessages } from '#server/db/tables/telegram.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { hashSecret, newSecret } from '#server/lib/crypto/private-pages.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { cleanText } from '#server/lib/text/clean-text.ts';
import { queueMail } from '#server/mail/mail.ts';
import type { TelegramBot } from '#server/providers/telegram/port.ts';
import { notifyOfSecurity } from './happenings.service.ts';
import { memberLocale } from './member-locale.service.ts';
import { publishTo } from './notify.service.ts';
import { assumeReader, type Where } from './settings.service.ts';
import type { TelegramService } from './telegram.port.ts';

type Member = Actor & { id: string };
export type Reply = NonNullable<(typeof telegramMessages.$inferSelect)['reply']>;

/** Characters of a person's name in Telegram that are kept. */
const NAME = 100;
/** Answers that one chat gets in a minute; what it writes beyond that stays without. */
const REPLIES_A_MINUTE = 8;

/** The bot, and the chat that a member linked with it; null without a bot. */
export async function readTelegram(db: Reader, { bot }: TelegramService, userId: string) {
  if (!bot) return null;
  const [chat] = await db
    .select({ name: telegramChats.name, since: telegramChats.linkedAt })
    .from(telegramChats)
    .where(and(eq(telegramChats.userId, userId), eq(telegramChats.botId, bot.id)));
  return { bot: bot.name, chat: chat ? { name: chat.name, since: chat.since.toISOString() } : null };
}

/**
 * Makes the address that links the chat in which it is opened, once and for ten minutes; one made before works no more, and
 * it ends with the session in which it was asked for. Of its code only the hash is kept.
 *
 * @throws TELEGRAM_OFF without a bot.
 */
export async function createTelegramLink(
  db: Db,
  actor: Member,
  { locale, zone }: Where,
  { telegram, sessionId, now }: { telegram: TelegramService; sessionId: string; now: Date },
): Promise<{ url: string; until: string }> {
  const bot = telegram.bot ?? fail('TELEGRAM_OFF');
  const code = newSecret();
  const expiresAt = new Date(now.getTime() + TELEGRAM_CODE_MINUTES * 60_000);
  const values = { sessionId, codeHash: hashSecret(code), locale: locale ?? 'es', zone: zone ?? null, expiresAt };
  await db.transaction(async (tx) => {
    await tx
      .insert(telegramLinkCodes)
      .values({ userId: actor.id, ...values })
      .onConflictDoUpdate({ target: telegramLinkCodes.userId, set: values });
    await audit(tx, actor, { action: 'telegram.asked', resourceType: 'member', resourceId: actor.id });
  });
  return { url: `https://t.me/${bot.name}?start=${code}`, until: expiresAt.toISOString() };
}

/** Ends the link of a member, and a code that waits to make one. Nothing is left to send then. Doing it twice is fine. */
export function unlink(db: Db, actor: Member, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.delete(telegramLinkCodes).where(eq(telegramLinkCodes.userId, actor.id));
    const [chat] = await tx.delete(telegramChats).where(eq(telegramChats.userId, actor.id)).returning();
    if (!chat) return;
    await answer(tx, {
      bot: chat.botId,
      chat: chat.chatId,
      reply: 'stopped',
      locale: await localeOf(tx, actor.id),
      now,
    });
    await noteEnd(tx, actor, actor.id, now);
  });
}

/** What became of a message to the bot, and whom its chat belongs to. */
interface Linking {
  bot: TelegramBot;
  chat: { id: number; name: string };
  now: Date;
}

/**
 * Links a private chat to the member whose code it brought. A chat of somebody else's keeps its member, and the code its use;
 * the member's chat before gets nothing more.
 *
 * @returns how the chat is answered.
 */
export async function linkChat(
  tx: Tx,
  jobs: JobQueue,
  code: string,
  { bot, chat, now }: Linking,
): Promise<{ reply: Reply; about: string | null; userId: string | null }> {
  const [link] = await tx
    .select({
      userId: telegramLinkCodes.userId,
      locale: telegramLinkCodes.locale,
      zone: telegramLinkCodes.zone,
      email: users.email,
      username: forumUsers.username,
    })
    .from(telegramLinkCodes)
    .innerJoin(users, eq(users.id, telegramLinkCodes.userId))
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
    .where(and(eq(telegramLinkCodes.codeHash, hashSecret(code)), gt(telegramLinkCodes.expiresAt, now)))
    .for('update', { of: telegramLinkCodes });
  const before = await memberOf(tx, bot.id, chat.id);
  if (!link) return { reply: 'code_wrong', about: null, userId: before };
  const { userId } = link;
  if (before !== null && before !== userId) return { reply: 'chat_taken', about: null, userId: before };
  await tx.delete(telegramLinkCodes).where(eq(telegramLinkCodes.userId, userId));
  await assumeReader(tx, userId, { locale: link.locale, zone: link.zone ?? undefined });
  const locale = await memberLocale(tx, { id: userId, email: link.email });
  const name = cleanText(chat.name, 'line').slice(0, NAME) || 'Telegram';
  if (before === userId) {
    // The same chat once more: what is on its way to it stays.
    await tx.update(telegramChats).set({ name }).where(eq(telegramChats.userId, userId));
    await publishTo(tx, [userId]);
    await audit(tx, inChat(userId), { action: 'telegram.linked', resourceType: 'member', resourceId: userId });
    return { reply: 'linked', about: link.username ?? '', userId };
  }
  const [old] = await tx.delete(telegramChats).where(eq(telegramChats.userId, userId)).returning();
  if (old) await answer(tx, { bot: old.botId, chat: old.chatId, reply: 'moved', locale, now });
  // Before the new chat is there: it is told by the answer.
  await notifyOfSecurity(tx, userId, 'telegram_on', now);
  await queueMail(tx, jobs, { to: link.email, locale, template: 'telegramLinked', data: { name } });
  await tx.insert(telegramChats).values({ userId, botId: bot.id, chatId: chat.id, name, linkedAt: now });
  await audit(tx, inChat(userId), { action: 'telegram.linked', resourceType: 'member', resourceId: userId });
  return { reply: 'linked', about: link.username ?? '', userId };
}

/**
 * Ends the link of a chat.
 *
 * @param gone the person blocked the bot, or is not there any more; otherwise they wrote /stop.
 * @returns whose it was; null when it had none.
 */
export async function endLink(
  tx: Tx,
  { bot, chat, gone, now }: { bot: number; chat: number; gone: boolean; now: Date },
): Promise<string | null> {
  const [ended] = await tx
    .delete(telegramChats)
    .where(and(eq(telegramChats.botId, bot), eq(telegramChats.chatId, chat)))
    .returning({ userId: telegramChats.userId });
  if (!ended) return null;
  await noteEnd(tx, inChat(ended.userId), ended.userId, now, gone ? 'the bot was blocked' : '/stop');
  return ended.userId;
}

/** Whose chat it is; null: nobody's. */
export async function memberOf(tx: Tx, bot: number, chat: number): Promise<string | null> {
  const [found] = await tx
    .select({ userId: telegramChats.userId })
    .from(telegramChats)
    .where(and(eq(telegramChats.botId, bot), eq(telegramChats.chatId, chat)));
  return found?.userId ?? null;
}

/** The language in which a member is written to. */
export async function localeOf(tx: Tx, userId: string): Promise<'es' | 'en'> {
  const [member] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  return memberLocale(tx, { id: userId, email: member?.email ?? '' });
}

/** Queues an answer to a chat, unless it got many within a minute. */
export async function answer(
  tx: Tx,
  {
    bot,
    chat,
    reply,
    about = null,
    locale,
    now,
  }: { bot: number; chat: number; reply: Reply; about?: string | null; locale: 'es' | 'en'; now: Date },
): Promise<void> {
  const { chatId, createdAt } = telegramMessages;
  const recent = and(
    eq(chatId, chat),
    gt(createdAt, new Date(now.getTime() - 60_000)),
    sql`${telegramMessages.reply} is not null`,
  );
  if ((await tx.$count(telegramMessages, recent)) >= REPLIES_A_MINUTE) return;
  await tx
    .insert(telegramMessages)
    .values({ botId: bot, chatId: chat, reply, about, locale, dueAt: now, createdAt: now });
}

/** Whoever writes in a chat: known by it alone, in no session. */
const inChat = (id: string): Member => ({ id, role: 'visitor', ipHash: null, requestId: null });

async function noteEnd(tx: Tx, actor: Actor, userId: string, now: Date, reason?: string): Promise<void> {
  await notifyOfSecurity(tx, userId, 'telegram_off', now);
  await audit(tx, actor, {
    action: 'telegram.unlinked',
    resourceType: 'member',
    resourceId: userId,
    ...(reason ? { reason } : {}),
  });
}
