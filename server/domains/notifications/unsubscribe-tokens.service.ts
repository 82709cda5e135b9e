import { createHmac, timingSafeEqual } from 'node:crypto';

const sign = (secret: string, body: string) =>
  createHmac('sha256', `${secret}:unsubscribe`).update(body).digest('base64url');

/**
 * Token of an unsubscribe link that works without signing in; it never expires, because links in old mails must work.
 *
 * @param claim member and kind of mail, as JSON.
 */
export function signStop(secret: string, claim: readonly string[]): string {
  const body = Buffer.from(JSON.stringify(claim)).toString('base64url');
  return `${body}.${sign(secret, body)}`;
}

/** Path of the page on which a token unsubscribes, in the reader's language. Mail programs post to the same path. */
export const unsubscribePath = (locale: 'es' | 'en', token: string): string =>
  `${locale === 'en' ? '/en' : ''}/unsubscribe?token=${token}`;

/** The content of a token; null when it is not one of ours. */
export function readStop(secret: string, token: string): unknown {
  const [body = '', signature = ''] = token.split('.');
  const wanted = Buffer.from(sign(secret, body));
  const given = Buffer.from(signature);
  if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return null;
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
}
