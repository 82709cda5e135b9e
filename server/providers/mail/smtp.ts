import { format } from 'node:util';
import { PermanentFailure } from '#server/lib/errors/permanent-failure.ts';
import type { MailTransport } from './port.ts';
import { isPermanentRefusal } from './refusals.ts';

/** Timeouts of the connection, of the greeting, and of inactivity after that. Milliseconds. */
const TIMEOUT_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

interface Options {
  /** Receives each line of the protocol; nodemailer omits passwords. */
  listen?: ((line: string) => void) | undefined;
  /** Address for replies; the sender's by default. */
  replyTo?: string | undefined;
  /** Other timeouts, for tests. */
  timeouts?: typeof TIMEOUT_MS;
}

/** Implements nodemailer's logger interface; trace messages are ignored. */
function listener(listen: (line: string) => void) {
  const onReply = (entry: { tnx?: string } | undefined, message: unknown, ...args: unknown[]) => {
    const prefix = entry?.tnx === 'client' ? 'C: ' : entry?.tnx === 'server' ? 'S: ' : '-- ';
    for (const line of format(message, ...args).split(/\r?\n/)) if (line) listen(prefix + line);
  };
  return { trace: () => {}, debug: onReply, info: onReply, warn: onReply, error: onReply, fatal: onReply };
}

/**
 * Sends mails over SMTP.
 *
 * @param url smtp://user:password@host:587 (STARTTLS when offered) or smtps://… (TLS from the start).
 * @param from the sender, 'Name <address>' or an address.
 */
export function smtpTransport(
  url: string,
  from: string,
  { listen, replyTo, timeouts = TIMEOUT_MS }: Options = {},
): MailTransport {
  const { protocol, host } = new URL(url);
  // Loaded with the first mail.
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport(
      { url, ...timeouts, ...(listen ? { logger: listener(listen) as never, debug: true } : {}) },
      { from, ...(replyTo ? { replyTo } : {}) },
    );
  };
  let transport: ReturnType<typeof open> | undefined;
  return {
    target: `${protocol}//${host}`,
    kind: 'smtp',
    async send({ messageId, to, subject, text, html, unsubscribeUrl }) {
      transport ??= open();
      try {
        await (await transport).sendMail({
          messageId,
          // As a list with one entry, so that a value cannot contain several addresses.
          to: [{ name: '', address: to }],
          subject,
          text,
          html,
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl
              ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
              : {}),
          },
          // Attachments by path or URL are not used.
          disableFileAccess: true,
          disableUrlAccess: true,
        });
      } catch (error) {
        throw isPermanentRefusal(error) ? new PermanentFailure((error as Error).message) : error;
      }
    },
    close: () => void transport?.then((opened) => opened.close()),
  };
}
