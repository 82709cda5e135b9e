import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { readEnv } from '#server/env.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { renderMail } from '#server/mail/templates.ts';
import { openMail } from '#server/providers/mail/open.ts';
import { addressOf } from './arguments.ts';

/** Sends a test mail over the transport of all mails, without the queue, and prints the conversation with the server. */
export async function testMail(word: string): Promise<boolean> {
  const to = addressOf(word);
  const env = readEnv(process.env);
  const mail = openMail(env, (line) => console.log(line));
  console.log(`From ${env.MAIL_FROM} to ${to} over ${mail.target}`);
  const id = randomUUID();
  const host = new URL(env.PUBLIC_URL).hostname;
  try {
    await mail.send({ ...renderMail('test', {}, 'es', env.PUBLIC_URL), to, messageId: `<${id}@${host}>` });
  } catch (error) {
    throw new StartError(`The mail was not accepted: ${(error as Error).message}`, { cause: error });
  } finally {
    mail.close();
  }
  if (env.SMTP_URL) console.log('The mail server accepted it. Check the mailbox, and its spam folder.');
  else
    console.log(
      `Nothing was sent, because SMTP_URL is not set. The mail is the newest file in ${path.join(env.DATA_DIR, 'outbox')}.`,
    );
  return true;
}
