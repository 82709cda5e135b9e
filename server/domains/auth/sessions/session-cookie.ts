import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { BetterAuth } from '#server/domains/auth/auth.port.ts';

export type AuthCookie = Awaited<BetterAuth['$context']>['authCookies']['sessionToken'];

/** One `set-cookie` line with Better Auth's own attributes. @param maxAge seconds; 0 deletes it. */
export function cookieLine({ name, attributes }: AuthCookie, value: string, maxAge: number): string {
  return [
    `${name}=${encodeURIComponent(value)}`,
    `Max-Age=${maxAge}`,
    `Path=${attributes.path ?? '/'}`,
    ...(attributes.httpOnly ? ['HttpOnly'] : []),
    ...(attributes.secure ? ['Secure'] : []),
    'SameSite=Lax',
  ].join('; ');
}

export const isHttps = (publicUrl: string): boolean => publicUrl.startsWith('https:');

/**
 * Prefix of our cookies. With https, browsers accept a name with `__Host-` only from this very host, over https and for all of its
 * paths, so that neither another host of the domain nor anyone on an open network can replace a cookie.
 */
export const cookiePrefix = (publicUrl: string): string => (isHttps(publicUrl) ? '__Host-florka' : 'florka');

/** Name of the session cookie; the only one that is read. */
export const sessionCookieName = (publicUrl: string): string => `${cookiePrefix(publicUrl)}.session_token`;

/** 256 random bits. */
export const makeSessionToken = (): string => randomBytes(32).toString('base64url');

/** Signature of a cookie's value, in Better Auth's format. */
export const sign = (secret: string | Buffer, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64');

/**
 * The session token in Better Auth's signed cookie (HMAC-SHA-256, base64), or null when there is none or the signature is wrong.
 * The format is Better Auth 1.7's; sign-in.test.ts verifies it.
 */
export function readSessionToken(cookie: string | null | undefined, secret: string, publicUrl: string): string | null {
  const name = `${sessionCookieName(publicUrl)}=`;
  const part = cookie?.split('; ').find((pair) => pair.startsWith(name));
  if (part === undefined) return null;
  let value: string;
  try {
    value = decodeURIComponent(part.slice(name.length));
  } catch {
    return null;
  }
  const dot = value.lastIndexOf('.');
  if (dot < 1) return null;
  const token = value.slice(0, dot);
  const wanted = createHmac('sha256', secret).update(token).digest();
  const given = Buffer.from(value.slice(dot + 1), 'base64');
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? token : null;
}
