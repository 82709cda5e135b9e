import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { expect } from './support.ts';

/** The text of a mail to somebody with such a subject; the server writes it a moment after the action, or after the job that sends it. */
export async function mailTo(folder: string, to: string, subject: RegExp, timeout = 20_000): Promise<string> {
  let found = '';
  await expect(async () => {
    const names = (await readdir(folder).catch(() => [] as string[])).filter((name) => name.endsWith('.eml'));
    const mails = await Promise.all(
      names.map(async (name) => PostalMime.parse(await readFile(path.join(folder, name)))),
    );
    const mail = mails.find((one) => one.to?.[0]?.address === to && subject.test(one.subject ?? ''));
    expect(mail).toBeDefined();
    found = mail?.text ?? '';
  }).toPass({ timeout });
  return found;
}
