import type { IncomingMessage } from 'node:http';

/**
 * The visitor's address. Only the last `hops` entries of X-Forwarded-For were written by proxies of ours; everything
 * before them is whatever the visitor claims.
 *
 * @param hops trusted proxies in front of this process; 0 believes the socket alone.
 */
export function clientAddress(req: IncomingMessage, hops: number): string {
  const peer = req.socket.remoteAddress ?? '';
  if (hops === 0) return peer;
  const header = req.headers['x-forwarded-for'];
  const chain = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  return chain.at(-hops) ?? chain[0] ?? peer;
}
