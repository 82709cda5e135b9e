// Numbers of records that people write and read out: of an order (FL-…), a refund (RF-…) and a submission (PR-…).
import { randomBytes } from 'node:crypto';

/** Without I, L, O and U, which are easily mistaken for digits or other letters. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A number that people can read out: the prefix and 50 random bits. It grants no access. */
export function newRecordNumber(prefix: 'FL' | 'PR' | 'RF'): string {
  const characters = [...randomBytes(10)].map((byte) => ALPHABET[byte % 32]).join('');
  return `${prefix}-${characters}`;
}

/** True for such a number or its beginning, in either case: not for a mailbox such as pr-team@…. */
export const isRecordNumber = (text: string): boolean => /^(FL|RF|PR)-[0-9A-Z-]*$/i.test(text.trim());
