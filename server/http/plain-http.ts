import type { IncomingMessage } from 'node:http';
import { isLoopback, normalizeAddress } from '#server/lib/network/address.ts';
import { isTrustedProxy, type TrustedProxies } from './client-address.ts';

/** Response to a request without TLS: `location` of the page over https, or the message of a refusal. */
export type PlainAnswer = { location: string } | { refusal: string };

const UNKNOWN_PROXY =
  'This site answers over https only. To its operator: this request did not come from this machine or from a proxy that TRUST_PROXY names.';
const OVER_HTTP = 'This site answers over https only.';
/** Paths for programs; they are not redirected, so that a client does not continue to send its data unencrypted. */
const FOR_PROGRAMS = /^\/(?:api|rpc|uploads|live|webhooks|csp-reports|(?:en\/)?unsubscribe|sandbox)(?:[/?]|$)/;
/** Health checks of process monitors, which need no TLS: they contain no personal data. */
const HEALTH = new Set(['/healthz', '/readyz']);

/**
 * On a site with an https address, requests without TLS are refused or redirected: those that reach the port of this process
 * directly over the network, and those that came by http to a proxy that says so in X-Forwarded-Proto. A proxy that does not
 * set the header is assumed to use TLS, which is its operator's responsibility.
 *
 * @param origin of the site, https.
 * @returns null when the request is handled normally.
 */
export function plainAnswer(req: IncomingMessage, trusted: TrustedProxies, origin: string): PlainAnswer | null {
  const target = req.url ?? '/';
  if (HEALTH.has(target)) return null;
  const peer = req.socket.remoteAddress ?? '';
  if (!isTrustedProxy(peer, trusted)) {
    // A closed connection has no address.
    return peer === '' || isLoopback(normalizeAddress(peer)) ? null : { refusal: UNKNOWN_PROXY };
  }
  const header = req.headers['x-forwarded-proto'];
  // The client's protocol is the entry of the first proxy.
  const spoken = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')[0]?.trim().toLowerCase();
  if (spoken !== 'http' && spoken !== 'ws') return null;
  const page = (req.method === 'GET' || req.method === 'HEAD') && target.startsWith('/') && !FOR_PROGRAMS.test(target);
  return page ? { location: origin + target } : { refusal: OVER_HTTP };
}
