import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { effectiveEnv } from '#server/doctor/effective-env.ts';
import { type Env, readEnv } from '#server/env.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { renderMail } from '#server/mail/templates.ts';
import { openMail } from '#server/providers/mail/open.ts';
import { addressOf } from './arguments.ts';
import { withDatabase } from './database.ts';

/** The variables, and for those that are left out the settings of the back office, where there is a database to read them from. */
async function readConfigured(): Promise<Env> {
  const env = readEnv(process.env);
  try {
    return await withDatabase(({ db }) => effectiveEnv(db, env, process.env), 'any');
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(`Settings of the back office are left out: ${error.message}`);
    return env;
  }
}

/** Sends a test mail over the transport of all mails, without the queue, and prints the conversation with the server. */
export async function testMail(word: string): Promise<boolean> {
  const to = addressOf(word);
  const env = await readConfigured();
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
      `Nothing was sent, because SMTP_URL is not set, neither here nor in the back office. The mail is the newest file in ${path.join(env.DATA_DIR, 'outbox')}.`,
    );
  return true;
}
