import type { IncomingMessage } from 'node:http';

/**
 * True if the client has the current representation, so that the response is 304: If-None-Match with weak comparison,
 * as RFC 9110 (13.1.2) specifies for GET and HEAD.
 */
export function isNotModified(req: IncomingMessage, etag: string): boolean {
  const known = req.headers['if-none-match'];
  if (known === undefined) return false;
  // Common case: the header contains one tag.
  if (known === etag || known.trim() === '*') return true;
  const opaque = withoutWeak(etag);
  return known.split(',').some((tag) => withoutWeak(tag.trim()) === opaque);
}

const withoutWeak = (tag: string) => tag.replace(/^W\//, '');
