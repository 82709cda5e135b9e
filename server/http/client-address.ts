import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Logger } from 'pino';
import { isLoopback, normalizeAddress } from '#server/lib/network/address.ts';

/** Whose word about a visitor's address counts; this machine itself always, when anybody's does. */
export interface TrustedProxies {
  /** How many entries of X-Forwarded-For, counted from the end, were written by proxies; 0 where addresses are listed. */
  hops: number;
  /** Addresses and networks of proxies; null where they are counted, or where none is believed. */
  listed: BlockList | null;
}

const MAX_HOPS = 10;

/**
 * Reads TRUST_PROXY: a number of proxies on this machine's side, or addresses and networks (`10.0.0.5, 10.1.0.0/16`), or
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

/** Whether a connection comes from a proxy whose entries are believed. */
export function isBelieved(peer: string, { hops, listed }: TrustedProxies): boolean {
  if (hops === 0 && !listed) return false;
  const address = normalizeAddress(peer);
  if (isLoopback(address)) return true;
  return listed !== null && isIP(address) !== 0 && listed.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/**
 * The visitor's address. X-Forwarded-For is read only from a proxy that is believed, and of it only what such proxies wrote:
 * the last entries as counted, or the last one that is no proxy. Everything before is whatever the visitor claims.
 */
export function clientAddress(req: IncomingMessage, trusted: TrustedProxies): string {
  const peer = req.socket.remoteAddress ?? '';
  if (!isBelieved(peer, trusted)) return peer;
  const header = req.headers['x-forwarded-for'];
  const chain = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  if (trusted.hops > 0) return chain.at(-trusted.hops) ?? chain[0] ?? peer;
  return chain.findLast((entry) => !isBelieved(entry, trusted)) ?? chain[0] ?? peer;
}

/** Says once that a proxy in front is not believed, which makes all visitors count as one. */
export function proxyWarning(log: Pick<Logger, 'warn'>, trusted: TrustedProxies): (req: IncomingMessage) => void {
  let warned = trusted.hops === 0 && !trusted.listed;
  return (req) => {
    if (warned || !req.headers['x-forwarded-for'] || isBelieved(req.socket.remoteAddress ?? '', trusted)) return;
    warned = true;
    log.warn('X-Forwarded-For from an address that TRUST_PROXY does not name is not believed');
  };
}
