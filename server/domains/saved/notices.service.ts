import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { NotificationDetail } from '#contract/notifications.ts';
import { type SavedRef, savedRef } from '#contract/saved.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { notify } from '#server/domains/notifications/notify.service.ts';
import { readStop } from '#server/domains/notifications/unsubscribe-tokens.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/fail.ts';
import type { MailLocale } from '#server/mail/mail.ts';
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

/**
 * Stops the mails that a link is about, without signing in. Doing it twice is fine.
 *
 * @returns false when the token is not one of ours.
 */
export async function unsubscribe(db: Db, secret: string, actor: Actor, token: string): Promise<boolean> {
  const said = claim.safeParse(readStop(secret, token));
  if (!said.success) return false;
  const [userId, kind, id] = said.data;
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
 * Tells everybody who saved a token what is new, in the transaction of the change itself; by mail those who asked for mails
 * about it, at a mailbox that was proven.
 *
 * @param about.path the token's page on our site. @param about.of what tells this news from others of its kind.
 * @returns how many mails it comes to.
 */
export async function noticeSaved(
  tx: Tx,
  ref: SavedRef,
  about: { name: string; news: NotificationDetail<'follows'>; path: string; of?: string; now: Date },
): Promise<number> {
  const { rows } = await tx.execute<{ id: string; locale: MailLocale | null; mail: boolean }>(sql`
    select s.user_id as id, case when s.notify then s.notify_locale end as locale,
      s.notify and u.email_verified and (u.banned_until is null or u.banned_until <= ${about.now.toISOString()}) as mail
    from saved_tokens s join users u on u.id = s.user_id where s.${sql.raw(COLUMN[ref.kind])} = ${ref.id}`);
  const { mails } = await notify(tx, {
    kind: 'follows',
    detail: about.news,
    cause: `${ref.kind}:${ref.id}:${about.news}:${about.of ?? ''}:${about.now.toISOString()}`,
    to: rows.map(({ id, locale, mail }) => ({ id, mail, ...(locale ? { locale } : {}) })),
    data: { title: about.name, path: about.path, saved: ref },
    now: about.now,
  });
  return mails;
}
