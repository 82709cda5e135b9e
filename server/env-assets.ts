import { z } from 'zod';
import { StartError } from '#server/lib/errors/start-error.ts';

/** Scheme and host only: browsers request the same paths there as on the site. */
export const assetsUrl = z
  .url({ protocol: /^https?$/ })
  .refine((value) => /^[a-z]+:\/\/[^/?#@]+\/?$/i.test(value), 'not a scheme and a host alone, as https://cdn.example')
  .transform((value) => new URL(value).origin);

/**
 * @throws StartError for an ASSETS_URL or S3_BROWSER_ENDPOINT that browsers would refuse, or that is the site's own
 *   origin.
 */
export function checkAssets({
  ASSETS_URL,
  PUBLIC_URL,
  S3_BROWSER_ENDPOINT,
}: {
  ASSETS_URL?: string | undefined;
  PUBLIC_URL?: string | undefined;
  S3_BROWSER_ENDPOINT?: string | undefined;
}): void {
  if (PUBLIC_URL?.startsWith('https:') && S3_BROWSER_ENDPOINT && !S3_BROWSER_ENDPOINT.startsWith('https:'))
    throw new StartError('Wrong configuration: S3_BROWSER_ENDPOINT must be https, as PUBLIC_URL is.');
  if (!ASSETS_URL) return;
  if (!PUBLIC_URL) throw new StartError('Wrong configuration: ASSETS_URL needs PUBLIC_URL as well.');
  const { origin, protocol } = new URL(PUBLIC_URL);
  if (ASSETS_URL === origin)
    throw new StartError('Wrong configuration: ASSETS_URL is the address of the site itself; leave it out.');
  if (protocol === 'https:' && !ASSETS_URL.startsWith('https:'))
    throw new StartError('Wrong configuration: ASSETS_URL must be https, as PUBLIC_URL is.');
}
