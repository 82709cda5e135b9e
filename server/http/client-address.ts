import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Logger } from 'pino';
import { isLoopback, normalizeAddress } from '#server/lib/network/address.ts';

/** Trusted proxies, whose X-Forwarded-For is used; includes this machine when any proxy is trusted. */
export interface TrustedProxies {
  /** Number of X-Forwarded-For entries, from the end, that proxies added; 0 when proxies are listed by address. */
  hops: number;
  /** Addresses and networks of proxies; null when hops are counted, or when no proxy is trusted. */
  listed: BlockList | null;
}

const MAX_HOPS = 10;

/**
 * Parses TRUST_PROXY: a number of proxies in front of this machine, or addresses and networks (`10.0.0.5, 10.1.0.0/16`), or
 * `loopback`.
 *
 * @returns null for anything else.
 */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  if (/^\d+$/.test(text.trim())) {
    const hops = Number(text);
    return hops <= MAX_HOPS ? { hops, listed: null } : null;
  }
  const listed = new BlockList();
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === 'loopback') continue;
    const [address = '', bits, more] = part.split('/');
    const version = isIP(address);
    if (version === 0 || more !== undefined || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return null;
    const longest = version === 4 ? 32 : 128;
    if (bits !== undefined && (Number(bits) > longest || Number(bits) < 1)) return null;
    listed.addSubnet(address, Number(bits ?? longest), version === 4 ? 'ipv4' : 'ipv6');
  }
  return { hops: 0, listed };
}

/** True when a connection comes from a trusted proxy. */
export function isTrustedProxy(peer: string, { hops, listed }: TrustedProxies): boolean {
  if (hops === 0 && !listed) return false;
  const address = normalizeAddress(peer);
  if (isLoopback(address)) return true;
  return listed !== null && isIP(address) !== 0 && listed.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/**
 * The client's address. X-Forwarded-For is read only from a trusted proxy, and only the entries that trusted proxies added:
 * the last ones by count, or the last one that is not a listed proxy. Earlier entries can be forged by the client.
 */
export function clientAddress(req: IncomingMessage, trusted: TrustedProxies): string {
  const peer = req.socket.remoteAddress ?? '';
  if (!isTrustedProxy(peer, trusted)) return peer;
  const header = req.headers['x-forwarded-for'];
  const chain = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  if (trusted.hops > 0) return chain.at(-trusted.hops) ?? chain[0] ?? peer;
  return chain.findLast((entry) => !isTrustedProxy(entry, trusted)) ?? chain[0] ?? peer;
}

/** Logs once that an untrusted proxy is in front, which makes all clients share one address. */
export function proxyWarning(log: Pick<Logger, 'warn'>, trusted: TrustedProxies): (req: IncomingMessage) => void {
  let warned = trusted.hops === 0 && !trusted.listed;
  return (req) => {
    if (warned || !req.headers['x-forwarded-for'] || isTrustedProxy(req.socket.remoteAddress ?? '', trusted)) return;
    warned = true;
    log.warn('X-Forwarded-For from an address that TRUST_PROXY does not name is not believed');
  };
}
