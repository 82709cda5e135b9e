import { and, eq, ne, sql } from 'drizzle-orm';
import type { SiteNotices } from '#contract/domains/settings.ts';
import { offeredLanguage } from '#contract/site.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { mails } from '#server/db/tables/mails.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { MailTransport } from '#server/providers/mail/port.ts';
import { type MailData, type MailTemplate, renderMail } from './templates.ts';

export type MailLocale = 'es' | 'en';

/**
 * Puts a mail on its way in the caller's transaction: no commit, no mail; committed, it is sent at least once.
 *
 * @param to one address, already checked.
 * @returns id of the mail.
 */
export async function queueMail<T extends MailTemplate>(
  tx: Tx,
  jobs: JobQueue,
  mail: { to: string; locale: MailLocale; template: T; data: MailData[T] },
): Promise<string> {
  const { to: toAddress, locale, template, data } = mail;
  const [made] = await tx.insert(mails).values({ toAddress, locale, template, data }).returning({ id: mails.id });
  const id = made?.id ?? '';
  await jobs.enqueue(tx, 'send-mail', { mailId: id });
  return id;
}

/** What `queueMail`, which alone writes it, put into a mail. */
const contentOf = ({ template, data }: { template: string; data: unknown }) =>
  ({ template, data }) as { template: MailTemplate; data: MailData[MailTemplate] };

/** What became of a queued mail: 'none' of one that is sent, given up, or not there. */
type Delivery = 'sent' | 'expired' | 'none';

/**
 * Sends a queued mail; one that is sent or given up is left alone. Its data, which may hold a link or code, is forgotten
 * once it is sent, and kept while it is not: a mail that was given up can be tried again. One whose link or code has
 * ended meanwhile is not sent any more. After the transport took it and before that is written down a crash may send it
 * again, under the same Message-ID.
 *
 * @param options.last this is the last attempt: after a failure only a person tries it again.
 * @throws what the transport threw, so that the job queue tries again later.
 */
export async function deliverMail(
  db: Db,
  transport: MailTransport,
  mailId: string,
  options: { publicUrl: string; site: SiteNotices['site']; now: Date; last: boolean },
): Promise<Delivery> {
  const [mail] = await db
    .update(mails)
    .set({ attempts: sql`${mails.attempts} + 1` })
    .where(and(eq(mails.id, mailId), eq(mails.status, 'queued')))
    .returning({ toAddress: mails.toAddress, locale: mails.locale, template: mails.template, data: mails.data });
  if (!mail) return 'none';
  const { site } = options;
  const { template, data } = contentOf(mail);
  const own = eq(mails.id, mailId);
  if (hasEnded(data, options.now)) {
    await db.update(mails).set({ status: 'expired', data: {} }).where(own);
    return 'expired';
  }
  const content = renderMail(
    template,
    data,
    offeredLanguage(mail.locale, site.languages),
    options.publicUrl,
    site.name,
  );
  const host = new URL(options.publicUrl).hostname;
  try {
    await transport.send({ ...content, to: mail.toAddress, messageId: `<${mailId}@${host}>` });
  } catch (error) {
    const lastError = String((error as Error).message).slice(0, 500);
    await db
      .update(mails)
      .set({ lastError, status: options.last ? 'failed' : 'queued' })
      .where(own);
    throw error;
  }
  await db.update(mails).set({ status: 'sent', sentAt: options.now, lastError: null, data: {} }).where(own);
  return 'sent';
}

/** Whether what a mail leads to is over. */
const hasEnded = (data: MailData[MailTemplate], now: Date): boolean =>
  'until' in data && Date.parse(data.until) <= now.getTime();

/**
 * Lets a mail that was given up be sent after all, in the caller's transaction; the caller sees to its job.
 *
 * @throws NOT_FOUND when there is none that waits: sent, or gone with its account. @throws MAIL_EXPIRED
 */
export async function reviveMail(tx: Tx, mailId: string, now: Date): Promise<void> {
  const [mail] = await tx
    .select({ status: mails.status, template: mails.template, data: mails.data })
    .from(mails)
    .where(and(eq(mails.id, mailId), ne(mails.status, 'sent')))
    .for('update');
  if (!mail) return fail('NOT_FOUND', { what: 'mail' });
  if (mail.status === 'expired' || hasEnded(contentOf(mail).data, now)) fail('MAIL_EXPIRED');
  await tx.update(mails).set({ status: 'queued' }).where(eq(mails.id, mailId));
}

/** Forgets a mail that was not sent, with all it says. */
export const dropMail = (tx: Tx, mailId: string) =>
  tx.delete(mails).where(and(eq(mails.id, mailId), ne(mails.status, 'sent')));
