import path from 'node:path';
import { outboxTransport } from './outbox.ts';
import type { MailTransport } from './port.ts';
import { smtpTransport } from './smtp.ts';

/** The configured way out: SMTP, or files in the data directory. */
export const openMail = (env: { SMTP_URL?: string; MAIL_FROM: string; DATA_DIR: string }): MailTransport =>
  env.SMTP_URL
    ? smtpTransport(env.SMTP_URL, env.MAIL_FROM)
    : outboxTransport(path.join(env.DATA_DIR, 'outbox'), env.MAIL_FROM);
