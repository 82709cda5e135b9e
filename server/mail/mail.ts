import { sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/client.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { fail } from '#server/lib/fail.ts';
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
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into mails (to_address, locale, template, data)
    values (${mail.to}, ${mail.locale}, ${mail.template}, ${JSON.stringify(mail.data)}::jsonb) returning id`);
  const id = rows[0]?.id ?? '';
  await jobs.enqueue(tx, 'send-mail', { mailId: id });
  return id;
}

interface MailRow extends Record<string, unknown> {
  to_address: string;
  locale: MailLocale;
  template: MailTemplate;
  data: MailData[MailTemplate];
  status: 'queued' | 'sent' | 'failed' | 'expired';
}

/** What became of a queued mail: 'none' of one that is sent, given up, or not there. */
type Delivery = 'sent' | 'expired' | 'none';

/**
 * Sends a queued mail; one that is sent or given up is left alone. Its data, which may hold a link or code, is forgotten
 * once it is sent, and kept while it is not: a mail that was given up can be tried again. One whose link or code has
 * ended meanwhile is not sent any more. After the transport took it and before that is written down a crash may send it
 * again, under the same Message-ID.
 *
 * @param options.last this is the last try: after a failure only a person tries it again.
 * @throws what the transport threw, so that the job queue tries again later.
 */
export async function deliverMail(
  db: Db,
  transport: MailTransport,
  mailId: string,
  options: { publicUrl: string; now: Date; last: boolean },
): Promise<Delivery> {
  const { rows } = await db.execute<MailRow>(
    sql`update mails set attempts = attempts + 1 where id = ${mailId} and status = 'queued' returning to_address, locale, template, data, status`,
  );
  const mail = rows[0];
  if (!mail) return 'none';
  if (hasEnded(mail.data, options.now)) {
    await db.execute(sql`update mails set status = 'expired', data = '{}' where id = ${mailId}`);
    return 'expired';
  }
  const content = renderMail(mail.template, mail.data, mail.locale, options.publicUrl);
  const host = new URL(options.publicUrl).hostname;
  try {
    await transport.send({ ...content, to: mail.to_address, messageId: `<${mailId}@${host}>` });
  } catch (error) {
    await db.execute(sql`update mails set last_error = ${String((error as Error).message).slice(0, 500)},
      status = ${options.last ? 'failed' : 'queued'} where id = ${mailId}`);
    throw error;
  }
  await db.execute(sql`update mails set status = 'sent', sent_at = ${options.now.toISOString()}, last_error = null,
    data = '{}' where id = ${mailId}`);
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
  const { rows } = await tx.execute<MailRow>(
    sql`select status, data from mails where id = ${mailId} and status <> 'sent' for update`,
  );
  const mail = rows[0] ?? fail('NOT_FOUND', { what: 'mail' });
  if (mail.status === 'expired' || hasEnded(mail.data, now)) fail('MAIL_EXPIRED');
  await tx.execute(sql`update mails set status = 'queued' where id = ${mailId}`);
}

/** Forgets a mail that was not sent, with all it says. */
export const dropMail = (tx: Tx, mailId: string) =>
  tx.execute(sql`delete from mails where id = ${mailId} and status <> 'sent'`);
