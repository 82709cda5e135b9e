import { isIP } from 'node:net';
import type { PublishedMethod } from '#contract/domains/ownership.ts';

/** Prefix of the host in the name of the TXT record. */
const LABEL = '_florka';
/** Path of the file on a website. */
const FILE = '/.well-known/florka.txt';
/** Prefix of the expected content. */
const PREFIX = 'florka-verification=';
/** Maximum length of a host: with the label it still is a valid name (RFC 1035). */
const MAX_HOST = 253 - LABEL.length - 1;

/**
 * The host name of a token's website in canonical form, or null when it can't be proven: no website, an IP address, a name without
 * a dot.
 */
export function hostOf(websiteUrl: string | null): string | null {
  const url = websiteUrl ? URL.parse(websiteUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  if (host.length > MAX_HOST || isIP(host.replace(/^\[|\]$/g, '')) !== 0 || !host.includes('.')) return null;
  return host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label)) ? host : null;
}

/** Subject of a published proof: for DNS the same with and without 'www.'. */
export const subjectOf = (method: PublishedMethod, host: string): string =>
  method === 'dns' ? host.replace(/^www\.(?=[^.]+\.)/, '') : host;

/** The name of the TXT record, or the URL of the file. */
export const proofLocationOf = (method: PublishedMethod, subject: string): string =>
  method === 'dns' ? `${LABEL}.${subject}` : `https://${subject}${FILE}`;

/** The expected content, in a line of its own. */
export const contentOf = (token: string): string => PREFIX + token;

/** Compares the published lines with the expected content. */
export const provesIn = (lines: readonly string[], token: string): 'missing' | 'other' | null =>
  lines.some((line) => line.trim() === contentOf(token))
    ? null
    : lines.some((line) => line.includes(PREFIX))
      ? 'other'
      : 'missing';
