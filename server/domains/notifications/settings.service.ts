import { and, desc, eq, inArray } from 'drizzle-orm';
import { z } from 'zod';
import {
  defaultSetting,
  type NotificationKind,
  type NotificationMail,
  type NotificationReader,
  notificationKind,
} from '#contract/domains/notifications.ts';
import { MAILED_KINDS, PUSH_BROWSERS_MAX } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { adminProfiles, users } from '#server/db/tables/accounts.ts';
import { notificationReaders, notificationSettings, pushSubscriptions } from '#server/db/tables/notifications.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { checkWaitingAgain, dropQueuedMails, stopMailsOf } from './notifications.sql.ts';
import { canEncryptFor } from './push.service.ts';
import { readStop, signStop, unsubscribePath } from './unsubscribe-tokens.service.ts';

type Member = Actor & { id: string };
export interface Setting {
  kind: NotificationKind;
  inApp: boolean;
  mail: NotificationMail;
  push: boolean;
  telegram: boolean;
}

/** Channels of each kind for a member (team kinds for admins only), their quiet hours, and whether mails can reach them. */
export async function readSettings(db: Reader, userId: string) {
  const [chosen, [reader], [member], [admin]] = await Promise.all([
    db.select().from(notificationSettings).where(eq(notificationSettings.userId, userId)),
    db.select().from(notificationReaders).where(eq(notificationReaders.userId, userId)),
    db.select({ verified: users.emailVerified }).from(users).where(eq(users.id, userId)),
    db.select({ id: adminProfiles.id }).from(adminProfiles).where(eq(adminProfiles.id, userId)),
  ]);
  return {
    kinds: notificationKind.options
      .filter((kind) => kind !== 'staff' || admin)
      .map((kind): Setting => {
        const { inApp, mail, push, telegram } = chosen.find((row) => row.kind === kind) ?? defaultSetting(kind);
        return { kind, inApp, mail, push, telegram };
      }),
    reader: reader
      ? {
          locale: reader.locale,
          zone: reader.zone,
          quiet:
            reader.quietFrom === null || reader.quietTo === null
              ? null
              : { from: reader.quietFrom, to: reader.quietTo },
        }
      : null,
    mailVerified: member?.verified ?? false,
  };
}

/** Addresses of the push subscriptions of one session; that of a browser can change, and its former one is then still included. */
export async function readPushEndpoints(db: Reader, sessionId: string): Promise<string[]> {
  const rows = await db
    .select({ endpoint: pushSubscriptions.endpoint })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.sessionId, sessionId));
  return rows.map(({ endpoint }) => endpoint);
}

export interface Where {
  locale?: 'es' | 'en' | undefined;
  zone?: string | undefined;
}

/** Stores language and time zone of a member's browser, until they choose them. */
export async function assumeReader(tx: Tx, userId: string, { locale, zone }: Where): Promise<void> {
  if (!locale || !zone) return;
  await tx.insert(notificationReaders).values({ userId, locale, zone }).onConflictDoNothing();
}

/** Sets the channels of a kind; notifications that are already waiting follow the new choice, also as queued mails. */
export async function setKind(
  db: Db,
  actor: Member,
  {
    kind,
    inApp,
    mail: requestedMail,
    push,
    telegram,
    ...where
  }: Omit<Setting, 'telegram'> & {
    telegram?: boolean | undefined;
  } & Where,
): Promise<void> {
  const mail = (MAILED_KINDS as readonly NotificationKind[]).includes(kind) ? requestedMail : 'off';
  await db.transaction(async (tx) => {
    const channels = { inApp, mail, push };
    await tx
      .insert(notificationSettings)
      .values({ userId: actor.id, kind, ...channels, telegram: telegram ?? defaultSetting(kind).telegram })
      .onConflictDoUpdate({
        target: [notificationSettings.userId, notificationSettings.kind],
        // Without a choice for Telegram, the stored one remains.
        set: { ...channels, ...(telegram === undefined ? {} : { telegram }) },
      });
    await checkWaitingAgain(tx, { member: actor.id, kind });
    if (mail === 'off') await dropQueuedMails(tx, { member: actor.id, kinds: [kind], daily: false });
    await assumeReader(tx, actor.id, where);
    await audit(tx, actor, {
      action: 'notifications.set',
      resourceType: 'member',
      resourceId: actor.id,
      after: { notificationKind: kind, inApp, mail, push, ...(telegram === undefined ? {} : { telegram }) },
    });
  });
}

/** Sets quiet hours, their time zone, and the language of mails, pushes and Telegram messages; waiting notifications follow them. */
export async function setReader(db: Db, actor: Member, { locale, zone, quiet }: NotificationReader): Promise<void> {
  await db.transaction(async (tx) => {
    const chosen = { locale, zone, quietFrom: quiet?.from ?? null, quietTo: quiet?.to ?? null };
    await tx
      .insert(notificationReaders)
      .values({ userId: actor.id, ...chosen })
      .onConflictDoUpdate({ target: notificationReaders.userId, set: chosen });
    await checkWaitingAgain(tx, { member: actor.id, kind: null });
    await audit(tx, actor, {
      action: 'notifications.reader_set',
      resourceType: 'member',
      resourceId: actor.id,
      after: { readerLocale: locale, zone, quiet: quiet && `${quiet.from}-${quiet.to}` },
    });
  });
}

/**
 * Subscribes a browser to pushes. A browser belongs to the member who subscribed last, for as long as that session exists; past ten
 * browsers the oldest is deleted.
 *
 * @throws PUSH_SERVICE_UNKNOWN when the address is not one of a supported push service.
 * @throws PUSH_KEYS_INVALID when no message can be encrypted with the keys.
 */
export async function subscribe(
  db: Db,
  actor: Member,
  browser: { endpoint: string; p256dh: string; auth: string } & Where,
  { sessionId, accepts, now }: { sessionId: string; accepts: (endpoint: string) => boolean; now: Date },
): Promise<void> {
  if (!accepts(browser.endpoint)) fail('PUSH_SERVICE_UNKNOWN');
  if (!canEncryptFor(browser)) fail('PUSH_KEYS_INVALID');
  await db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.id)).for('no key update');
    await assumeReader(tx, actor.id, browser);
    // Another member's waiting pushes for this browser are deleted with the old row.
    const { endpoint, p256dh, auth } = browser;
    const { rowCount } = await tx
      .update(pushSubscriptions)
      .set({ p256dh, auth, sessionId })
      .where(and(eq(pushSubscriptions.endpoint, endpoint), eq(pushSubscriptions.userId, actor.id)));
    if (rowCount) return;
    await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.endpoint, endpoint));
    await tx.insert(pushSubscriptions).values({ userId: actor.id, sessionId, endpoint, p256dh, auth, createdAt: now });
    const oldest = tx
      .select({ id: pushSubscriptions.id })
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, actor.id))
      .orderBy(desc(pushSubscriptions.createdAt), pushSubscriptions.id)
      .offset(PUSH_BROWSERS_MAX);
    await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, oldest));
    await audit(tx, actor, { action: 'push.enabled', resourceType: 'member', resourceId: actor.id });
  });
}

/** Ends pushes to a browser; another member's browser is not affected. */
export async function unsubscribe(db: Db, actor: Member, endpoint: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { rowCount } = await tx
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.endpoint, endpoint), eq(pushSubscriptions.userId, actor.id)));
    if (rowCount) await audit(tx, actor, { action: 'push.disabled', resourceType: 'member', resourceId: actor.id });
  });
}

/** Content of the unsubscribe token in a mail of notifications: the member, and the kinds. */
const claim = z.tuple([z.uuid(), z.literal('notifications'), z.union([notificationKind, z.literal('all')])]);

/** Path of the page that unsubscribes from mails of a kind, or from all of them. */
export const stopPath = (
  secret: string,
  { userId, locale }: { userId: string; locale: 'es' | 'en' },
  kind: NotificationKind | 'all',
): string => unsubscribePath(locale, signStop(secret, [userId, 'notifications', kind]));

/**
 * Unsubscribes from the mails of a token, without signing in, and deletes those that are queued: the mail server may have been unavailable
 * for hours. Idempotent.
 *
 * @returns false when the token is not one for notifications.
 */
export async function stopMails(db: Db, secret: string, actor: Actor, token: string): Promise<boolean> {
  const parsed = claim.safeParse(readStop(secret, token));
  if (!parsed.success) return false;
  const [userId, , kind] = parsed.data;
  const kinds = kind === 'all' ? MAILED_KINDS : [kind];
  await db.transaction(async (tx) => {
    const stopped = await stopMailsOf(tx, { member: userId, kinds: [...kinds] });
    await dropQueuedMails(tx, { member: userId, kinds: [...kinds], daily: kind === 'all' });
    if (stopped > 0)
      await audit(
        tx,
        { ...actor, id: userId },
        {
          action: 'notifications.stopped',
          resourceType: 'member',
          resourceId: userId,
          after: { notificationKind: kind },
          reason: 'link in a mail',
        },
      );
  });
  return true;
}
