import { createHmac, timingSafeEqual } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type SavedRef, savedRef } from '#contract/saved.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/fail.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import type { MailData } from '#server/mail/templates.ts';
import { COLUMN, refColumns } from './saved.service.ts';

/** Saved tokens that a member wants mails about. */
export async function noticeList(db: Reader, userId: string): Promise<SavedRef[]> {
  const { rows } = await db.execute<SavedRef & Record<string, unknown>>(
    sql`select ${refColumns} from saved_tokens where user_id = ${userId} and notify`,
  );
  return rows.map(({ kind, id }) => ({ kind, id }));
}

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
    const { rowCount } = await tx.execute(sql`
      update saved_tokens set notify = ${input.on}, notify_locale = ${input.locale}
      where user_id = ${actor.id} and ${sql.raw(COLUMN[input.kind])} = ${input.id}`);
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
    const { rowCount } = await tx.execute(
      sql`update saved_tokens set notify = false where user_id = ${userId} and ${sql.raw(COLUMN[kind])} = ${id} and notify`,
    );
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
  const { rows } = await tx.execute<{ user_id: string; email: string; notify_locale: MailLocale }>(sql`
    select s.user_id, u.email, s.notify_locale from saved_tokens s join users u on u.id = s.user_id
    where s.${sql.raw(COLUMN[ref.kind])} = ${ref.id} and s.notify
      and u.email_verified and (u.banned_until is null or u.banned_until <= now())`);
  for (const { user_id, email, notify_locale } of rows)
    await queueMail(tx, jobs, {
      to: email,
      locale: notify_locale,
      template: 'savedToken',
      data: { ...about, unsubscribePath: `/unsubscribe?token=${unsubscribeToken(secret, user_id, ref)}` },
    });
  return rows.length;
}
