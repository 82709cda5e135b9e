import { and, eq, gt, sql } from 'drizzle-orm';
import { TELEGRAM_CODE_MINUTES } from '#contract/domains/notifications.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { telegramChats, telegramLinkCodes, telegramMessages } from '#server/db/tables/telegram.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { hashSecret, newSecret } from '#server/lib/crypto/page-secrets.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { queueMail } from '#server/mail/mail.ts';
import type { TelegramBot } from '#server/providers/telegram/port.ts';
import { notifyOfSecurity } from '../member-events.service.ts';
import { memberLocale } from '../member-locale.service.ts';
import { publishTo } from '../notify.service.ts';
import { assumeReader, type Where } from '../settings.service.ts';
import type { TelegramService } from './telegram.port.ts';

type Member = Actor & { id: string };
export type Reply = NonNullable<(typeof telegramMessages.$inferSelect)['reply']>;

/** Stored characters of a person's name in Telegram. */
const NAME = 100;
/** Replies to one chat per minute; further messages get none. */
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
 * Creates the address that links the chat in which it is opened, valid once and for ten minutes; an earlier one becomes invalid,
 * and it expires with the session that requested it. Only the hash of its code is stored.
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

/** Unlinks a member's chat, and deletes a pending link code and all waiting messages. Idempotent. */
export function unlink(db: Db, jobs: JobQueue, actor: Member, now: Date): Promise<void> {
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
    await recordEnd(tx, jobs, actor, actor.id, now);
  });
}

/** Deletes the chat of a member, with its waiting messages, and a pending link code; nobody is notified. */
export async function dropChat(tx: Tx, userId: string): Promise<void> {
  await tx.delete(telegramLinkCodes).where(eq(telegramLinkCodes.userId, userId));
  await tx.delete(telegramChats).where(eq(telegramChats.userId, userId));
}

/** Result of a message to the bot, and the member that its chat belongs to. */
interface Linking {
  bot: TelegramBot;
  chat: { id: number; name: string };
  now: Date;
}

/**
 * Links a private chat to the member whose code it sent. A chat of another member stays linked to that member, and the code stays
 * valid; the member's previous chat is unlinked.
 *
 * @returns the reply to the chat.
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
    // The same chat again: its waiting messages remain.
    await tx.update(telegramChats).set({ name }).where(eq(telegramChats.userId, userId));
    await publishTo(tx, [userId]);
    await audit(tx, inChat(userId), { action: 'telegram.linked', resourceType: 'member', resourceId: userId });
    return { reply: 'linked', about: link.username ?? '', userId };
  }
  const [old] = await tx.delete(telegramChats).where(eq(telegramChats.userId, userId)).returning();
  if (old) await answer(tx, { bot: old.botId, chat: old.chatId, reply: 'moved', locale, now });
  // Before the new chat is stored, which would receive this notification in addition to the reply.
  await notifyOfSecurity(tx, userId, 'telegram_on', now);
  await queueMail(tx, jobs, { to: link.email, locale, template: 'telegramLinked', data: { name } });
  await tx.insert(telegramChats).values({ userId, botId: bot.id, chatId: chat.id, name, linkedAt: now });
  await audit(tx, inChat(userId), { action: 'telegram.linked', resourceType: 'member', resourceId: userId });
  return { reply: 'linked', about: link.username ?? '', userId };
}

/**
 * Unlinks a chat.
 *
 * @param gone the person blocked the bot, or the chat no longer exists; otherwise they sent /stop.
 * @returns its member; null when it had none.
 */
export async function endLink(
  tx: Tx,
  jobs: JobQueue,
  { bot, chat, gone, now }: { bot: number; chat: number; gone: boolean; now: Date },
): Promise<string | null> {
  const [ended] = await tx
    .delete(telegramChats)
    .where(and(eq(telegramChats.botId, bot), eq(telegramChats.chatId, chat)))
    .returning({ userId: telegramChats.userId });
  if (!ended) return null;
  await recordEnd(tx, jobs, inChat(ended.userId), ended.userId, now, gone ? 'the bot was blocked' : '/stop');
  return ended.userId;
}

/** The member of a chat; null without one. */
export async function memberOf(tx: Tx, bot: number, chat: number): Promise<string | null> {
  const [found] = await tx
    .select({ userId: telegramChats.userId })
    .from(telegramChats)
    .where(and(eq(telegramChats.botId, bot), eq(telegramChats.chatId, chat)));
  return found?.userId ?? null;
}

/** The language of messages to a member. */
export async function localeOf(tx: Tx, userId: string): Promise<'es' | 'en'> {
  const [member] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  return memberLocale(tx, { id: userId, email: member?.email ?? '' });
}

/** Queues a reply to a chat, unless it reached the limit per minute. */
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

/** The actor of a message in a chat: identified by the chat alone, without a session. */
const inChat = (id: string): Member => ({ id, role: 'visitor', ipHash: null, requestId: null });

async function recordEnd(
  tx: Tx,
  jobs: JobQueue,
  actor: Actor,
  userId: string,
  now: Date,
  reason?: string,
): Promise<void> {
  await notifyOfSecurity(tx, userId, 'telegram_off', now);
  const [member] = await tx.select({ id: users.id, email: users.email }).from(users).where(eq(users.id, userId));
  if (member) {
    const locale = await memberLocale(tx, member);
    await queueMail(tx, jobs, { to: member.email, locale, template: 'telegramUnlinked', data: {} });
  }
  await audit(tx, actor, {
    action: 'telegram.unlinked',
    resourceType: 'member',
    resourceId: userId,
    ...(reason ? { reason } : {}),
  });
}
