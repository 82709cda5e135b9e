import { createHmac, timingSafeEqual } from 'node:crypto';

const sign = (secret: string, body: string) =>
  createHmac('sha256', `${secret}:unsubscribe`).update(body).digest('base64url');

/**
 * The token of a link that stops mails without signing in; it never expires, because old mails must stay stoppable.
 *
 * @param claim whose mails about what, as JSON.
 */
export function signStop(secret: string, claim: readonly string[]): string {
  const body = Buffer.from(JSON.stringify(claim)).toString('base64url');
  return `${body}.${sign(secret, body)}`;
}

/** What a token says; null when it is not one of ours. */
export function readStop(secret: string, token: string): unknown {
  const [body = '', signature = ''] = token.split('.');
  const wanted = Buffer.from(sign(secret, body));
  const given = Buffer.from(signature);
  if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return null;
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
}
