import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '#server/lib/crypto/derive-key.ts';

/** How long a browser is a known device after a sign-in. Seconds. */
export const DEVICE_SECONDS = 180 * 86_400;

const signatureOf = (secret: string, text: string) =>
  createHmac('sha256', deriveKey(secret, 'known device')).update(text).digest('base64url');

/**
 * Cookie that a browser stores after a sign-in: that this account was signed in there, and when. It grants no access, but
 * priority in the queue of sign-ins and a rate limit of its own. It can't be forged without our secret, and does not reveal the account.
 */
export function makeDeviceMark(secret: string, email: string, now: Date): string {
  const mark = `${randomBytes(16).toString('base64url')}.${Math.floor(now.getTime() / 1_000).toString(36)}`;
  return `${mark}.${signatureOf(secret, `${mark}.${email.toLowerCase()}`)}`;
}

/** Maximum of accounts in the cookie of one browser, which several people may share. */
const MAX_MARKS = 4;

/** The cookie of a browser after a sign-in: a new mark of the account, and those of other accounts that were in its former cookie. */
export function addDeviceMark(secret: string, former: string | null, email: string, now: Date): string {
  const others = (former ?? '').split('~').filter((mark) => MARK.test(mark) && !readMark(secret, mark, email, now));
  return [makeDeviceMark(secret, email, now), ...others].slice(0, MAX_MARKS).join('~');
}

/** The id of the browser, if one of the marks in its cookie is signed by us, for this account and not expired; otherwise null. */
export function readDeviceMark(secret: string, cookie: string | null, email: string, now: Date): string | null {
  for (const mark of (cookie ?? '').split('~').slice(0, MAX_MARKS)) {
    const id = readMark(secret, mark, email, now);
    if (id) return id;
  }
  return null;
}

const MARK = /^([\w-]{22})\.([0-9a-z]{1,9})\.([\w-]{43})$/;

function readMark(secret: string, mark: string, email: string, now: Date): string | null {
  const match = MARK.exec(mark);
  if (!match?.[1] || !match[2] || !match[3]) return null;
  const wanted = signatureOf(secret, `${match[1]}.${match[2]}.${email.toLowerCase()}`);
  if (!timingSafeEqual(Buffer.from(wanted), Buffer.from(match[3]))) return null;
  const age = now.getTime() / 1_000 - Number.parseInt(match[2], 36);
  return age < DEVICE_SECONDS ? match[1] : null;
}
