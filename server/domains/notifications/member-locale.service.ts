import { desc, eq } from 'drizzle-orm';
import type { Reader } from '#server/db/client.ts';
import { mails } from '#server/db/tables/mails.ts';
import { notificationReaders } from '#server/db/tables/notifications.ts';
import type { MailLocale } from '#server/mail/mail.ts';

/**
 * Language of messages to a member outside of a request of their own: the one chosen for notifications, else that of the last mail to
 * them, else Spanish.
 *
 * @param otherwise instead of Spanish.
 */
export async function memberLocale(
  db: Reader,
  { id, email }: { id: string; email: string },
  otherwise: MailLocale = 'es',
): Promise<MailLocale> {
  const [reader] = await db
    .select({ locale: notificationReaders.locale })
    .from(notificationReaders)
    .where(eq(notificationReaders.userId, id));
  if (reader) return reader.locale;
  const [mail] = await db
    .select({ locale: mails.locale })
    .from(mails)
    .where(eq(mails.toAddress, email))
    .orderBy(desc(mails.createdAt))
    .limit(1);
  return mail?.locale ?? otherwise;
}
