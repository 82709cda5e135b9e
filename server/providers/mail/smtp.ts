import { format } from 'node:util';
import type { MailTransport } from './port.ts';

/** Longest waits for a connection, the greeting, and each answer after that. Milliseconds. */
const TIMEOUT_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

interface Options {
  /** Hears each line of the talk with the server; nodemailer leaves passwords out. */
  listen?: ((line: string) => void) | undefined;
  /** Where answers go; nowhere else than to the sender without it. */
  replyTo?: string | undefined;
  /** Other waits, for tests. */
  timeouts?: typeof TIMEOUT_MS;
}

/** What nodemailer wants as a logger; only what goes over the line, and faults, is of interest. */
function listener(listen: (line: string) => void) {
  const onReply = (entry: { tnx?: string } | undefined, message: unknown, ...args: unknown[]) => {
    const sign = entry?.tnx === 'client' ? 'C: ' : entry?.tnx === 'server' ? 'S: ' : '-- ';
    for (const line of format(message, ...args).split(/\r?\n/)) if (line) listen(sign + line);
  };
  return { trace: () => {}, debug: onReply, info: onReply, warn: onReply, error: onReply, fatal: onReply };
}

/**
 * Delivers over SMTP.
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
    async send({ messageId, to, subject, text, html, unsubscribeUrl }) {
      transport ??= open();
      await (await transport).sendMail({
        messageId,
        // As a list of one, so an address can't smuggle in a second one.
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
        // Nothing of ours is ever attached from a path or an address.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    },
    close: () => void transport?.then((opened) => opened.close()),
  };
}
