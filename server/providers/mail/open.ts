import path from 'node:path';
import { outboxTransport } from './outbox.ts';
import type { MailTransport } from './port.ts';
import { smtpTransport } from './smtp.ts';

let target: 'smtp' | 'outbox' = 'outbox';

/** The mail transport of this process, so that screens can show whether SMTP has to be configured. */
export const mailTarget = () => target;

/**
 * The configured transport: SMTP, or files in the data directory. Replies go to SUPPORT_EMAIL if it is set.
 *
 * @param listen receives each line of the dialogue with the SMTP server, without passwords.
 */
export function openMail(
  env: { SMTP_URL?: string | undefined; MAIL_FROM: string; DATA_DIR: string; SUPPORT_EMAIL?: string | undefined },
  listen?: (line: string) => void,
): MailTransport {
  target = env.SMTP_URL ? 'smtp' : 'outbox';
  return env.SMTP_URL
    ? smtpTransport(env.SMTP_URL, env.MAIL_FROM, { listen, replyTo: env.SUPPORT_EMAIL })
    : outboxTransport(path.join(env.DATA_DIR, 'outbox'), env.MAIL_FROM, env.SUPPORT_EMAIL);
}
