import { and, eq, sql } from 'drizzle-orm';
import type { Limit } from '#contract/limits.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';
import { mails } from '#server/db/tables/mails.ts';
import { payments } from '#server/db/tables/payments.ts';
import { projectSubmissions } from '#server/db/tables/submissions.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { orderLink } from '#server/domains/payments/orders/order-link.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { audit } from '#server/lib/audit.ts';
import { privatePath } from '#server/lib/crypto/page-secrets.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { type MailLocale, queueMail, reviveMail, sealedData } from '#server/mail/mail.ts';
import { numberIn, pageOfMail } from '#server/mail/resendable-mails.ts';
import type { MailData, MailTemplate } from '#server/mail/templates.ts';
import type { Editor } from '#server/records/records.ts';

/**
 * Resends a mail about an order or a submission: a sent mail as a marked copy, a failed one itself.
 * The private link in it is computed anew, so the mail goes only to the mailbox that its record has now.
 *
 * @param limit how often one mail is sent again; its copies count with it.
 * @returns id of the queued mail. @throws NOT_FOUND, NOT_RESENDABLE, RATE_LIMITED past the limit of this mail, MAIL_EXPIRED for
 *   a failed one whose code has expired
 */
export async function resendMail(
  db: Db,
  { jobs, secret, by, limit }: { jobs: JobQueue; secret: string; by: Editor; limit: Limit },
  id: string,
): Promise<{ id: string }> {
  await jobs.start();
  return db.transaction(async (tx) => {
    const [mail] = await tx.select().from(mails).where(eq(mails.id, id)).for('update');
    const { template, status, locale, toAddress, createdAt, sentAt } = mail ?? fail('NOT_FOUND', { what: 'mail' });
    const page = pageOfMail(template) ?? fail('NOT_RESENDABLE', { why: 'kind' });
    if (status === 'queued') fail('NOT_RESENDABLE', { why: 'waiting' });
    const data = mail?.data as Record<string, unknown>;
    // Copies count with the mail that they are copies of.
    const original = typeof data['copyOf'] === 'string' ? data['copyOf'] : id;
    await consumeRateLimits(tx, [{ key: `mail-again:${original}`, limit }], by.now);
    const number = numberIn(data);
    if (status === 'expired' || number === null) return fail('NOT_RESENDABLE', { why: 'content' });
    const record = await recordOf(tx, page, number);
    if (record?.email?.toLowerCase() !== toAddress.toLowerCase()) return fail('NOT_RESENDABLE', { why: 'mailbox' });
    const path =
      page === 'request'
        ? await orderLink(tx, secret, record.id, locale)
        : privatePath(secret, 'submission', record.id, locale);
    const sent = { template: template as MailTemplate, locale, to: toAddress };
    const queued =
      status === 'failed'
        ? await retry(tx, jobs, { id, template, data: { ...data, path } }, by.now)
        : await copy(tx, jobs, sent, {
            ...data,
            path,
            again: data['again'] ?? (sentAt ?? createdAt).toISOString(),
            copyOf: original,
          });
    await audit(tx, by.actor, {
      action: 'mail.sent_again',
      resourceType: page,
      resourceId: record.id,
      after: { template, number },
    });
    return { id: queued };
  });
}

/** The order or submission with a number, and the mailbox that it has now. */
async function recordOf(tx: Tx, page: 'request' | 'submission', number: string) {
  const [found] =
    page === 'request'
      ? await tx
          .select({ id: tokenCreationSubmissions.id, email: tokenCreationSubmissions.petitionerEmail })
          .from(tokenCreationSubmissions)
          .innerJoin(payments, eq(payments.submissionId, tokenCreationSubmissions.id))
          .where(eq(payments.orderId, number))
      : await tx
          .select({ id: projectSubmissions.id, email: projectSubmissions.submitterEmail })
          .from(projectSubmissions)
          .where(eq(projectSubmissions.reference, number));
  return found;
}

const copy = (
  tx: Tx,
  jobs: JobQueue,
  mail: { template: MailTemplate; locale: MailLocale; to: string },
  data: Record<string, unknown>,
): Promise<string> => queueMail(tx, jobs, { ...mail, data: data as never as MailData[MailTemplate] });

/** Queues a failed mail again, by its failed job where there is one. */
async function retry(
  tx: Tx,
  jobs: JobQueue,
  mail: { id: string; template: string; data: object },
  now: Date,
): Promise<string> {
  const { id } = mail;
  await reviveMail(tx, id, now);
  await tx
    .update(mails)
    .set({ data: sealedData(jobs, mail) })
    .where(eq(mails.id, id));
  const [job] = await tx
    .select({ id: sql`id`.mapWith(asText) })
    .from(sql`jobs.job`)
    .where(and(sql`name = 'send-mail' and state = 'failed'`, sql`data ->> 'mailId' = ${id}`))
    .for('update');
  if (job) await jobs.settle(tx, 'send-mail', job.id, 'retry');
  else await jobs.enqueue(tx, 'send-mail', { mailId: id });
  return id;
}
