import { z } from 'zod';
import { StartError } from '#server/lib/start-error.ts';

/** An e-mail as it is stored. @throws StartError when it is none. */
export function addressOf(word: string): string {
  const read = z.string().trim().toLowerCase().pipe(z.email()).safeParse(word);
  if (!read.success) throw new StartError(`${word} is no e-mail address.`);
  return read.data;
}
