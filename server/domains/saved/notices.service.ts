import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type SavedRef, savedRef } from '#contract/saved.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { users } from '#server/db/tables/accounts.ts';
import { savedTokens } from '#server/db/tables/saved.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/fail.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import type { MailData } from '#server/mail/templates.ts';
import { isAbout, isSaved, REF } from './saved.service.ts';

/** Saved tokens that a member wants mails about. */
export const noticeList = (db: Reader, userId: string): Promise<SavedRef[]> =>
  db
    .select(REF)
    .from(savedTokens)
    .where(and(eq(savedTokens.userId, userId), eq(savedTokens.notify, true)))
    .execute();

/**
 * Turns mails about a saved token on or off.
 *
 * @throws NOT_FOUND when the member has not saved it.
 */
export async function setNotice(
  db: Db,
  actor: Actor & { id: string },
  input: SavedRef & { on: boolean; locale: MailLocale },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(savedTokens)
      .set({ notify: input.on, notifyLocale: input.locale })
      .where(isSaved(actor.id, input));
    if (!rowCount) fail('NOT_FOUND', { what: 'saved token' });
    await audit(tx, actor, {
      action: input.on ? 'notice.enabled' : 'notice.disabled',
      resourceType: input.kind,
      resourceId: input.id,
    });
  });
}

/** What an unsubscribe link says: whose notices about what. */
const claim = z.tuple([z.uuid(), savedRef.shape.kind, z.uuid()]);

const sign = (secret: string, body: string) =>
  createHmac('sha256', `${secret}:unsubscribe`).update(body).digest('base64url');

/** The link's token; it never expires, because old mails must stay stoppable. */
export function unsubscribeToken(secret: string, userId: string, ref: SavedRef): string {
  const body = Buffer.from(JSON.stringify([userId, ref.kind, ref.id])).toString('base64url');
  return `${body}.${sign(secret, body)}`;
}

/**
 * Stops the mails that a link is about, without signing in. Doing it twice is fine.
 *
 * @returns false when the token is not one of ours.
 */
export async function unsubscribe(db: Db, secret: string, actor: Actor, token: string): Promise<boolean> {
  const [body = '', signature = ''] = token.split('.');
  const wanted = Buffer.from(sign(secret, body));
  const given = Buffer.from(signature);
  if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return false;
  const [userId, kind, id] = claim.parse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')));
  await db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(savedTokens)
      .set({ notify: false })
      .where(and(isSaved(userId, { kind, id }), eq(savedTokens.notify, true)));
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
 * Queues a mail to everybody who wants news of a token, in the transaction of the change itself.
 *
 * @param about.path the token's page on our site.
 * @returns how many mails.
 */
export async function noticeSaved(
  tx: Tx,
  jobs: JobQueue,
  secret: string,
  ref: SavedRef,
  about: { name: string; news: MailData['savedToken']['news']; path: string },
): Promise<number> {
  const rows = await tx
    .select({ userId: savedTokens.userId, email: users.email, locale: savedTokens.notifyLocale })
    .from(savedTokens)
    .innerJoin(users, eq(users.id, savedTokens.userId))
    .where(
      and(
        isAbout(ref),
        eq(savedTokens.notify, true),
        eq(users.emailVerified, true),
        or(isNull(users.bannedUntil), lte(users.bannedUntil, sql`now()`)),
      ),
    );
  for (const { userId, email, locale } of rows)
    await queueMail(tx, jobs, {
      to: email,
      locale,
      template: 'savedToken',
      data: { ...about, unsubscribePath: `/unsubscribe?token=${unsubscribeToken(secret, userId, ref)}` },
    });
  return rows.length;
}
