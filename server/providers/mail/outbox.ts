import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MailTransport } from './port.ts';

/**
 * Writes each mail as an .eml file into a folder. Used without SMTP, so that mails are not lost and can be read with
 * any mail program.
 *
 * @param replyTo address for replies; the sender's by default.
 */
export function outboxTransport(folder: string, from: string, replyTo?: string): MailTransport {
  // Loaded with the first mail.
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport(
      { streamTransport: true, buffer: true, newline: 'crlf' },
      { from, ...(replyTo ? { replyTo } : {}) },
    );
  };
  let composer: ReturnType<typeof open> | undefined;
  return {
    target: folder,
    kind: 'file',
    async send({ messageId, to, subject, text, html }) {
      composer ??= open();
      const { message } = await (await composer).sendMail({
        messageId,
        to: [{ name: '', address: to }],
        subject,
        text,
        html,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // One name per mail: a second attempt replaces the first file.
      const file = path.join(folder, `${messageId.replace(/[^a-zA-Z0-9-]/g, '_')}.eml`);
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600, flush: true });
      await rename(`${file}.part`, file);
    },
    close: () => {},
  };
}
