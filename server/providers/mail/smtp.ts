import { createTransport } from 'nodemailer';
import type { MailTransport } from './port.ts';

/**
 * Delivers over SMTP.
 *
 * @param url smtp://user:password@host:587 (STARTTLS when offered) or smtps://… (TLS from the start).
 * @param from the sender, 'Name <address>' or an address.
 */
export function smtpTransport(url: string, from: string): MailTransport {
  const { protocol, host } = new URL(url);
  const transport = createTransport(url, { from });
  return {
    target: `${protocol}//${host}`,
    async send({ messageId, to, subject, text, html, unsubscribeUrl }) {
      await transport.sendMail({
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
    close: () => transport.close(),
  };
}
