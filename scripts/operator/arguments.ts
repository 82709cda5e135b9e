import { z } from 'zod';
import { STAFF_ROLES, type StaffRole } from '#contract/staff.ts';
import { StartError } from '#server/lib/errors/start-error.ts';

/** Staff roles as an operator writes them, 'editor,finance'; an owner's where nothing is written. @throws StartError for others. */
export function staffRolesOf(word = 'owner'): StaffRole[] {
  const read = z.array(z.enum(STAFF_ROLES)).safeParse([...new Set(word.split(','))]);
  if (!read.success || (read.data.length > 1 && read.data.includes('owner')))
    throw new StartError(
      `${word}: either owner, or some of ${STAFF_ROLES.slice(1).join(', ')}, with commas between them.`,
    );
  return read.data;
}

/** An e-mail as it is stored. @throws StartError when it is none. */
export function addressOf(word: string): string {
  const read = z.string().trim().toLowerCase().pipe(z.email()).safeParse(word);
  if (!read.success) throw new StartError(`${word} is not an e-mail address.`);
  return read.data;
}
