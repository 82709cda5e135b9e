import type { Me } from '#contract/domains/auth.ts';
import type { Context } from '#server/http/context.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { Admission, AuthRequest } from './admission.service.ts';
import { meOf, viewerById } from './sessions/viewer.service.ts';

/** The part of a request's context that signing in and accounts work with. */
export const requestOf = (context: Context): AuthRequest => ({
  db: context.db,
  auth: context.auth,
  jobs: context.jobs,
  secret: context.secret,
  publicUrl: context.publicUrl,
  staffPasskey: context.staffPasskey,
  headers: context.headers,
  address: context.address,
  now: context.now(),
});

export function setCookies(context: Context, cookies: string[]): void {
  for (const cookie of cookies) context.resHeaders.append('set-cookie', cookie);
}

/** Makes the browser drop pages and answers it kept for going back, so that the next person there sees none of them. */
export const leaveNoPages = (context: Context): void => context.resHeaders.set('clear-site-data', '"cache"');

/**
 * Hands the cookies to the browser and says who is there now.
 *
 * @throws SECOND_FACTOR_NEEDED, with the cookie of the first step, when there is another to come.
 */
export async function welcome(
  context: Context,
  { userId, cookies, secondStep }: Omit<Admission, 'secondStep'> & { secondStep?: boolean },
): Promise<Me> {
  setCookies(context, cookies);
  if (secondStep) fail('SECOND_FACTOR_NEEDED');
  return meOf((await viewerById(context.db, userId)) ?? fail('UNAUTHORIZED'));
}
