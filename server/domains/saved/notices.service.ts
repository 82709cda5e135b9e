import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { NotificationDetail } from '#contract/domains/notifications.ts';
import { type SavedRef, savedRef } from '#contract/domains/saved.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { users } from '#server/db/tables/accounts.ts';
import { savedTokens } from '#server/db/tables/saved.ts';
import { notify } from '#server/domains/notifications/notify.service.ts';
import { readStop } from '#server/domains/notifications/unsubscribe-tokens.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { MailLocale } from '#server/mail/mail.ts';
import { dropQueuedMails, isAbout, isSaved, REF, successorsOf } from './saved.service.ts';

/** Saved tokens for which a member has enabled mails. */
export const listNotices = (db: Reader, userId: string): Promise<SavedRef[]> =>
  db
    .select(REF)
    .from(savedTokens)
    .where(and(eq(savedTokens.userId, userId), eq(savedTokens.notify, true)))
    .execute();

/**
 * Turns mails about a saved token on or off; queued ones are deleted when they are turned off.
 *
 * @throws NOT_FOUND when the member has not saved it.
 */
export async function setNotice(
  { db, secret }: { db: Db; secret: string },
  actor: Actor & { id: string },
  input: SavedRef & { on: boolean; locale: MailLocale },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(savedTokens)
      .set({ notify: input.on, notifyLocale: input.locale })
      .where(isSaved(actor.id, input));
    if (!rowCount) fail('NOT_FOUND', { what: 'saved token' });
    if (!input.on) await dropQueuedMails(tx, secret, actor.id, [input]);
    await audit(tx, actor, {
      action: input.on ? 'notice.enabled' : 'notice.disabled',
      resourceType: input.kind,
      resourceId: input.id,
    });
  });
}

/** Content of an unsubscribe token: the member and the saved token. */
const claim = z.tuple([z.uuid(), savedRef.shape.kind, z.uuid()]);

/**
 * Turns off the mails of an unsubscribe token, without signing in, and deletes those that are queued. Idempotent.
 *
 * @returns false when the token is not one of ours.
 */
export async function unsubscribe(db: Db, secret: string, actor: Actor, token: string): Promise<boolean> {
  const parsed = claim.safeParse(readStop(secret, token));
  if (!parsed.success) return false;
  const [userId, kind, id] = parsed.data;
  await db.transaction(async (tx) => {
    // The mail may be from before the candidate graduated.
    const next = (await successorsOf(tx, [{ kind, id }])).get(id);
    const { rowCount } = await tx
      .update(savedTokens)
      .set({ notify: false })
      .where(
        and(
          or(isSaved(userId, { kind, id }), next ? isSaved(userId, { kind: 'next', id: next }) : undefined),
          eq(savedTokens.notify, true),
        ),
      );
    await dropQueuedMails(tx, secret, userId, [{ kind, id }, ...(next ? [{ kind: 'next' as const, id: next }] : [])]);
    if (rowCount)
      await audit(
        tx,
        { ...actor, id: userId },
        {
          action: 'notice.disabled',
          resourceType: kind,
          resourceId: id,
          reason: 'link in a mail',
        },
      );
  });
  return true;
}

/**
 * Notifies everyone who saved a token, in the transaction of the change itself; by mail those who enabled mails about it, at a
 * verified mailbox.
 *
 * @param about.path the token's page on our site. @param about.of distinguishes this event from others of its kind.
 * @returns the number of mails.
 */
export async function notifyFollowers(
  tx: Tx,
  ref: SavedRef,
  about: { name: string; news: NotificationDetail<'follows'>; path: string; of?: string; now: Date },
): Promise<number> {
  const notBanned = or(isNull(users.bannedUntil), lte(users.bannedUntil, about.now));
  const rows = await tx
    .select({
      id: savedTokens.userId,
      isRequested: savedTokens.notify,
      locale: savedTokens.notifyLocale,
      reachable: sql`${and(eq(users.emailVerified, true), notBanned)}`.mapWith(Boolean),
    })
    .from(savedTokens)
    .innerJoin(users, eq(users.id, savedTokens.userId))
    .where(isAbout(ref));
  const { mails } = await notify(tx, {
    kind: 'follows',
    detail: about.news,
    cause: `${ref.kind}:${ref.id}:${about.news}:${about.of ?? ''}:${about.now.toISOString()}`,
    to: rows.map(({ id, isRequested, locale, reachable }) => ({
      id,
      mail: isRequested && reachable,
      ...(isRequested && locale ? { locale } : {}),
    })),
    data: { title: about.name, path: about.path, saved: ref },
    now: about.now,
  });
  return mails;
}
