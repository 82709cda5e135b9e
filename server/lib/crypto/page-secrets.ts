import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deriveKey } from './derive-key.ts';

/** Secret of a draft: 256 random bits. Only its hash is stored. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
/** SHA-256 of a secret, as stored. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** True when a secret has this hash, compared in constant time; false for a hash of another length. */
export const secretFits = (secret: string | undefined, hash: Buffer): boolean =>
  secret !== undefined && hash.length === 32 && timingSafeEqual(hashSecret(secret), hash);

/**
 * Key of a private page: 256 bits derived from the server's secret, so that a mail sent months later can contain the
 * same link although no key is stored. A new AUTH_SECRET invalidates all of them.
 *
 * @param generation number of the page's current link, from 1; each has its own key.
 */
export const pageKey = (secret: string, page: 'order' | 'submission', id: string, generation = 1): string =>
  createHmac('sha256', deriveKey(secret, `private page ${page}`))
    .update(generation === 1 ? id : `${id} ${generation}`)
    .digest('base64url');

/**
 * Path of a private page in the given language. The key is in the fragment, which browsers do not send to the server.
 */
export const privatePath = (
  secret: string,
  page: 'order' | 'submission',
  id: string,
  locale: 'es' | 'en',
  generation = 1,
): string => `${locale === 'en' ? '/en' : ''}/${page}/${id}#${pageKey(secret, page, id, generation)}`;

/** Compares a key from a request with the page's key in constant time. */
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
