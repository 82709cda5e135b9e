import { randomUUID } from 'node:crypto';
import { and, eq, ne, sql } from 'drizzle-orm';
import type { SiteNotices } from '#contract/domains/settings.ts';
import { type Language, offeredLanguage } from '#contract/site.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { mails } from '#server/db/tables/mails.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { PermanentFailure } from '#server/lib/errors/permanent-failure.ts';
import type { MailTransport } from '#server/providers/mail/port.ts';
import type { MailSite } from './drafts/draft.ts';
import { storedAfterSending } from './resendable-mails.ts';
import { openSecrets, sealSecrets, withoutSecrets } from './secret-fields.ts';
import { type MailData, type MailTemplate, renderMail } from './templates.ts';

/** A mail can be in each language of the pages. */
export type MailLocale = Language;

/** Sent after all others: there can be thousands of them at once, while somebody waits for a code. */
const BEHIND: ReadonlySet<MailTemplate> = new Set(['savedToken', 'notification', 'notificationDigest']);

/** What is stored of a mail's data until it was sent. */
export function sealedData(jobs: JobQueue, mail: { id: string; template: string; data: object }): object {
  if (jobs.secret === null) throw new Error('This process has no secret to seal mails with');
  return sealSecrets(jobs.secret, mail);
}

/**
 * Queues a mail in the caller's transaction: it is sent if and only if that commits, and then at least once. Its code and private link
 * are sealed with the server's secret.
 *
 * @param mail.to one validated address.
 * @returns id of the mail.
 */
export async function queueMail<T extends MailTemplate>(
  tx: Tx,
  jobs: JobQueue,
  mail: { to: string; locale: MailLocale; template: T; data: MailData[T] },
): Promise<string> {
  const { to: toAddress, locale, template } = mail;
  const id = randomUUID();
  const data = sealedData(jobs, { id, template, data: mail.data });
  await tx.insert(mails).values({ id, toAddress, locale, template, data });
  await jobs.enqueue(tx, 'send-mail', { mailId: id }, { behind: BEHIND.has(template) });
  return id;
}

/** The content of a mail, which only `queueMail` writes; code and link may be sealed. */
const contentOf = ({ template, data }: { template: string; data: unknown }) =>
  ({ template, data }) as { template: MailTemplate; data: MailData[MailTemplate] };

/** Result of a delivery: 'none' for a mail that is sent, failed, or does not exist. */
type Delivery = 'sent' | 'expired' | 'none';

/**
 * Sends a queued mail; sent and failed ones are not touched. Its data, which may contain a sealed link or code, is deleted
 * once it was sent, except for what a mail that staff can send again needs (`storedAfterSending`); of a failed one it is retained
 * for another attempt. A mail whose link or code has expired is not sent. After a crash between sending and recording it the mail
 * is sent again, with the same Message-ID.
 *
 * @param options.secret opens what `queueMail` sealed.
 * @param options.last true for the last attempt: after it only a person can send the mail again. A permanent failure ends the
 * attempts at once.
 * @param options.endAttempts ends the job's attempts, in the transaction that stores the mail as failed.
 * @throws the error of the transport or of the rendering, so that the job queue retries; without the mail's code or link.
 */
export async function deliverMail(
  db: Db,
  transport: MailTransport,
  mailId: string,
  options: {
    publicUrl: string;
    secret: string;
    site: SiteNotices['site'];
    now: Date;
    last: boolean;
    endAttempts?: (tx: Tx) => Promise<void>;
  } & MailSite,
): Promise<Delivery> {
  const [mail] = await db
    .update(mails)
    .set({ attempts: sql`${mails.attempts} + 1` })
    .where(and(eq(mails.id, mailId), eq(mails.status, 'queued')))
    .returning({ toAddress: mails.toAddress, locale: mails.locale, template: mails.template, data: mails.data });
  if (!mail) return 'none';
  const { site } = options;
  const { template, data: stored } = contentOf(mail);
  let data = stored;
  const own = eq(mails.id, mailId);
  // Only while it is queued: when the lease of an attempt ends, another process may send the mail at the same time.
  const unsent = and(own, eq(mails.status, 'queued'));
  if (hasEnded(stored, options.now)) {
    await db.update(mails).set({ status: 'expired', data: {} }).where(unsent);
    return 'expired';
  }
  const host = new URL(options.publicUrl).hostname;
  // Read before sending, because the settings may change the transport in the meantime.
  const sentBy = transport.kind;
  try {
    data = openSecrets(options.secret, { id: mailId, template, data: stored }) as typeof stored;
    // Fails for a kind that this version does not have: an older or newer one may have queued it.
    const content = renderMail(
      template,
      data,
      offeredLanguage(mail.locale, site.languages),
      options.publicUrl,
      site.name,
      { supportEmail: options.supportEmail },
    );
    await transport.send({ ...content, to: mail.toAddress, messageId: `<${mailId}@${host}>` });
  } catch (error) {
    const permanent = error instanceof PermanentFailure;
    const message = String((error as Error).message);
    const reason = withoutSecrets(message, data);
    await db.transaction(async (tx) => {
      const { rowCount } = await tx
        .update(mails)
        .set({ lastError: reason.slice(0, 500), status: options.last || permanent ? 'failed' : 'queued' })
        .where(unsent);
      if (permanent && rowCount) await options.endAttempts?.(tx);
    });
    if (reason === message) throw error;
    throw permanent ? new PermanentFailure(reason) : new Error(reason);
  }
  await db
    .update(mails)
    .set({
      status: 'sent',
      sentAt: options.now,
      sentBy,
      lastError: null,
      data: storedAfterSending(template, data),
    })
    .where(own);
  return 'sent';
}

/** True if the link or code of a mail has expired. */
const hasEnded = (data: MailData[MailTemplate], now: Date): boolean =>
  'until' in data && data.until !== undefined && Date.parse(data.until) <= now.getTime();

/**
 * Sets a failed mail back to queued, in the caller's transaction; the caller has to queue its job.
 *
 * @throws NOT_FOUND when it was sent, or deleted with its account. @throws MAIL_EXPIRED
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

/** Deletes a mail that was not sent, with its data. */
export const dropMail = (tx: Tx, mailId: string) =>
  tx.delete(mails).where(and(eq(mails.id, mailId), ne(mails.status, 'sent')));
