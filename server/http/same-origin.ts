const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a write comes from a page of another site. Our own pages stand at PUBLIC_URL; what a request says in `Host` is the
 * sender's word and counts for nothing. Programs send neither header. A site at a loopback name is tried out on this
 * machine, where its three names are one, and port 0 is whatever the system chose.
 */
export function createForeignCheck(publicUrl: string): (headers: Headers) => boolean {
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
