import type { IncomingMessage } from 'node:http';

/**
 * Whether the reader already has what carries `etag`, so that 304 answers it: If-None-Match by weak comparison, as
 * RFC 9110 (13.1.2) wants for GET and HEAD. A header may name several tags, or with `*` any.
 */
export function isNotModified(req: IncomingMessage, etag: string): boolean {
  const known = req.headers['if-none-match'];
  if (known === undefined) return false;
  // Nearly every reader names the one tag that it was given.
  if (known === etag || known.trim() === '*') return true;
  const opaque = withoutWeak(etag);
  return known.split(',').some((tag) => withoutWeak(tag.trim()) === opaque);
}

const withoutWeak = (tag: string) => tag.replace(/^W\//, '');
