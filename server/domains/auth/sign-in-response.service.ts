import type { Me } from '#contract/domains/auth.ts';
import { notReady } from '#server/http/api/procedures.ts';
import type { Context } from '#server/http/context.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { Admission, AuthRequest } from './open-session.service.ts';
import { meOf, viewerById } from './sessions/viewer.service.ts';

/** The part of a request's context that sign-in and account functions use. */
export const authRequestOf = (context: Context): AuthRequest => ({
  db: context.db,
  auth: context.auth,
  jobs: context.jobs,
  secret: context.secret,
  publicUrl: context.publicUrl,
  staffPasskey: context.staffPasskey,
  headers: context.requestHeaders(),
  address: context.address,
  now: context.now(),
});

/** Adds `set-cookie` lines to the response. */
export function setCookies(context: Context, cookies: string[]): void {
  for (const cookie of cookies) context.resHeaders.append('set-cookie', cookie);
}

/** Makes the browser delete cached pages and responses, so that the next user of it sees none of them. */
export const clearBrowserCache = (context: Context): void => context.resHeaders.set('clear-site-data', '"cache"');

/**
 * A member in the form for the client, as stored now.
 *
 * @throws UNAUTHORIZED when the account does not exist.
 */
export async function meById(context: Context, userId: string): Promise<Me> {
  const viewer = (await viewerById(context.db, userId)) ?? fail('UNAUTHORIZED');
  return meOf(viewer, notReady(context, viewer));
}

/**
 * Sets the cookies in the browser and returns the signed-in member.
 *
 * @throws SECOND_FACTOR_NEEDED, with the cookie of the first step, when a second step is required.
 */
export async function completeSignIn(
  context: Context,
  { userId, cookies, secondStep }: Omit<Admission, 'secondStep'> & { secondStep?: boolean },
): Promise<Me> {
  setCookies(context, cookies);
  if (secondStep) fail('SECOND_FACTOR_NEEDED');
  return meById(context, userId);
}
