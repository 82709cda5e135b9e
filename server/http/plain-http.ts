import type { IncomingMessage } from 'node:http';
import { isLoopback, normalizeAddress } from '#server/lib/network/address.ts';
import { isBelieved, type TrustedProxies } from './client-address.ts';

/** What a request without TLS is answered: `location` of the page over https, or the words of a refusal. */
export type PlainAnswer = { location: string } | { refusal: string };

const UNKNOWN_PROXY =
  'This site answers over https only. To its operator: this request did not come from this machine or from a proxy that TRUST_PROXY names.';
const OVER_HTTP = 'This site answers over https only.';
/** What programs call; they are not led on, so that nobody goes on sending them in clear. */
const FOR_PROGRAMS = /^\/(?:api|rpc|uploads|live|webhooks|csp-reports|unsubscribe|sandbox)(?:[/?]|$)/;
/** Asked by whoever watches processes, which need no TLS: they say nothing of anybody. */
const HEALTH = new Set(['/healthz', '/readyz']);

/**
 * Where the address of the site is https, nothing is answered to who comes without: directly over the network to the port of this
 * process, or by http through a proxy that says so in X-Forwarded-Proto. A proxy that does not write the header is taken to
 * speak TLS, which its operator has to see to.
 *
 * @param origin of the site, https.
 * @returns null: answer as always.
 */
export function plainAnswer(req: IncomingMessage, trusted: TrustedProxies, origin: string): PlainAnswer | null {
  const target = req.url ?? '/';
  if (HEALTH.has(target)) return null;
  const peer = req.socket.remoteAddress ?? '';
  if (!isBelieved(peer, trusted)) {
    // A connection that is gone has no address.
    return peer === '' || isLoopback(normalizeAddress(peer)) ? null : { refusal: UNKNOWN_PROXY };
  }
  const header = req.headers['x-forwarded-proto'];
  // What the visitor spoke is what the first proxy wrote.
  const spoken = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')[0]?.trim().toLowerCase();
  if (spoken !== 'http' && spoken !== 'ws') return null;
  const page = (req.method === 'GET' || req.method === 'HEAD') && target.startsWith('/') && !FOR_PROGRAMS.test(target);
  return page ? { location: origin + target } : { refusal: OVER_HTTP };
}
