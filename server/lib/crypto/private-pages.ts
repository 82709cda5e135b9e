import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deriveKey } from './derive-key.ts';

/** Of a draft: 256 random bits, of which only the hash is kept. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export const secretFits = (secret: string | undefined, hash: Buffer): boolean =>
  secret !== undefined && hash.length === 32 && timingSafeEqual(hashSecret(secret), hash);

/**
 * Key of a private page: 256 bits computed from the server's secret, so that a mail months later can carry the same link
 * and no key is stored. A new AUTH_SECRET ends all of them.
 *
 * @param generation how many links the page had, with this one; each has a key of its own.
 */
export const pageKey = (secret: string, page: 'order' | 'submission', id: string, generation = 1): string =>
  createHmac('sha256', deriveKey(secret, `private page ${page}`))
    .update(generation === 1 ? id : `${id} ${generation}`)
    .digest('base64url');

/** Path of a private page in somebody's language; the key behind '#' stays in the browser. */
export const privatePath = (
  secret: string,
  page: 'order' | 'submission',
  id: string,
  locale: 'es' | 'en',
  generation = 1,
): string => `${locale === 'en' ? '/en' : ''}/${page}/${id}#${pageKey(secret, page, id, generation)}`;

export function pageKeyFits(
  secret: string,
  page: 'order' | 'submission',
  id: string,
  key: string,
  generation = 1,
): boolean {
  const wanted = Buffer.from(pageKey(secret, page, id, generation));
  const given = Buffer.from(key);
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

/** Without letters and digits that look alike. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A number that people can read out: 50 random bits. It opens nothing. */
export function newReference(prefix: 'FL' | 'PR' | 'RF'): string {
  const characters = [...randomBytes(10)].map((byte) => ALPHABET[byte % 32]).join('');
  return `${prefix}-${characters}`;
}
