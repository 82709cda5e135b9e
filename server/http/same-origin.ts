import type { ReadHeaders } from './node-headers.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * True when a write comes from a page of another site. Our own pages have the origin PUBLIC_URL; the `Host` header is set by
 * the client and is ignored. Non-browser clients send neither header. For a site at a loopback name, the three loopback names
 * are equivalent, and a configured port 0 matches any port.
 */
export function createForeignCheck(publicUrl: string): (headers: ReadHeaders) => boolean {
  const own = new URL(publicUrl);
  const isOwn = (origin: string): boolean => {
    if (origin === own.origin) return true;
    if (!LOOPBACK.has(own.hostname) || !URL.canParse(origin)) return false;
    const given = new URL(origin);
    return (
      given.origin === origin &&
      given.protocol === own.protocol &&
      LOOPBACK.has(given.hostname) &&
      (given.port === own.port || own.port === '0')
    );
  };
  return (headers) => {
    const site = headers.get('sec-fetch-site');
    if (site && site !== 'same-origin' && site !== 'none') return true;
    const origin = headers.get('origin');
    return origin !== null && !isOwn(origin);
  };
}
