import { and, eq, lt, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/client.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { pageKey, pageKeyFits, privatePath } from '#server/lib/crypto/page-secrets.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';

const t = tokenCreationSubmissions;
/** How long the link works after its last use. Days. */
const MAX_UNUSED_DAYS = 365;
const DAY = 86_400_000;
/** Number of previous keys of an order that are still recognised as ended. */
const FORMER = 50;

/** The current link of an order, for a mail; creating it counts as a use, recorded once a day. @throws NOT_FOUND */
export async function orderLink(tx: Tx, secret: string, id: string, locale: MailLocale): Promise<string> {
  const [row] = await tx.select({ generation: t.linkGeneration }).from(t).where(eq(t.id, id));
  // The row is written at most once a day, because callers hold other locks.
  await tx
    .update(t)
    .set({ linkUsedAt: sql`now()` })
    .where(and(eq(t.id, id), lt(t.linkUsedAt, sql`now() - interval '1 day'`)));
  return privatePath(secret, 'order', id, locale, row?.generation ?? fail('NOT_FOUND', { what: 'order' }));
}

/**
 * Opens an order by the key of its link, and records the use once a day.
 *
 * @param viewerId the member who created the order while signed in may open it regardless of when the link was last used.
 * @throws NOT_FOUND for an unknown order and a wrong key alike.
 * @throws ORDER_LINK_ENDED for one of the 50 previous keys, and for a link that was not used for 365 days.
 */
export async function openOrderLink(
  db: Db,
  { secret, now }: { secret: string; now: Date },
  { id, key }: { id: string; key: string },
  viewerId: string | null,
): Promise<{ owner: boolean }> {
  const [row] = await db
    .select({ generation: t.linkGeneration, usedAt: t.linkUsedAt, userId: t.userId })
    .from(t)
    .where(eq(t.id, id));
  if (!row) return fail('NOT_FOUND', { what: 'order' });
  const owner = viewerId !== null && row.userId === viewerId;
  if (!pageKeyFits(secret, 'order', id, key, row.generation)) {
    for (let former = row.generation - 1; former > 0 && former >= row.generation - FORMER; former--)
      if (pageKeyFits(secret, 'order', id, key, former)) fail('ORDER_LINK_ENDED', { why: 'replaced' });
    return fail('NOT_FOUND', { what: 'order' });
  }
  const unused = now.getTime() - row.usedAt.getTime();
  if (unused > MAX_UNUSED_DAYS * DAY && !owner) fail('ORDER_LINK_ENDED', { why: 'unused' });
  if (unused > DAY) await db.update(t).set({ linkUsedAt: now }).where(eq(t.id, id));
  return { owner };
}

/**
 * Ends the link of an order and creates a new one, mailed to the order's mailbox in the language of its payment, if there is one.
 *
 * @param order `key`: the key of the link to end; of two concurrent calls the later one ends none.
 * @returns the new key, and whether it was mailed. @throws NOT_FOUND, ORDER_LINK_ENDED
 */
export async function replaceOrderLink(
  tx: Tx,
  { secret, jobs, actor, now }: { secret: string; jobs: JobQueue; actor: Actor; now: Date },
  {
    id,
    orderId,
    locale,
    simulation,
    key,
  }: { id: string; orderId: string | null; locale: MailLocale; simulation: boolean; key?: string },
): Promise<{ key: string; mailed: boolean }> {
  const [old] = await tx.select({ generation: t.linkGeneration }).from(t).where(eq(t.id, id)).for('no key update');
  if (key !== undefined && old && !pageKeyFits(secret, 'order', id, key, old.generation))
    fail('ORDER_LINK_ENDED', { why: 'replaced' });
  const [row] = await tx
    .update(t)
    .set({ linkGeneration: sql`${t.linkGeneration} + 1`, linkUsedAt: now })
    .where(eq(t.id, id))
    .returning({ generation: t.linkGeneration, email: t.petitionerEmail });
  const { generation, email } = row ?? fail('NOT_FOUND', { what: 'order' });
  if (email)
    await queueMail(tx, jobs, {
      to: email,
      locale,
      template: 'orderLink',
      data: { orderId: orderId ?? '', path: privatePath(secret, 'order', id, locale, generation), simulation },
    });
  await audit(tx, actor, { action: 'request.link_replaced', resourceType: 'request', resourceId: id });
  return { key: pageKey(secret, 'order', id, generation), mailed: email !== null };
}
