import { isIP } from 'node:net';
import type { PublishedMethod } from '#contract/domains/ownership.ts';

/** Before the host in a TXT record's name. */
const LABEL = '_florka';
/** Where the file stands on a website. */
const FILE = '/.well-known/florka.txt';
/** Before what is to be found. */
const PREFIX = 'florka-verification=';
/** Characters of a host: with the label in front it is still a name (RFC 1035). */
const MAX_HOST = 253 - LABEL.length - 1;

/**
 * The host name of a token's website in its one form, or null where it has none that could be proven: no website, an IP address, a
 * name without a dot.
 */
export function hostOf(websiteUrl: string | null): string | null {
  const url = websiteUrl ? URL.parse(websiteUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  if (host.length > MAX_HOST || isIP(host.replace(/^\[|\]$/g, '')) !== 0 || !host.includes('.')) return null;
  return host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label)) ? host : null;
}

/** What a published proof is about: the name system answers for the site with and without 'www.' alike. */
export const subjectOf = (method: PublishedMethod, host: string): string =>
  method === 'dns' ? host.replace(/^www\.(?=[^.]+\.)/, '') : host;

/** The name of the TXT record, or the address of the file. */
export const placeOf = (method: PublishedMethod, subject: string): string =>
  method === 'dns' ? `${LABEL}.${subject}` : `https://${subject}${FILE}`;

/** What has to stand there, in a line of its own. */
export const contentOf = (token: string): string => PREFIX + token;

/** What was found, compared with what has to be there. */
export const provesIn = (lines: readonly string[], token: string): 'missing' | 'other' | null =>
  lines.some((line) => line.trim() === contentOf(token))
    ? null
    : lines.some((line) => line.includes(PREFIX))
      ? 'other'
      : 'missing';
