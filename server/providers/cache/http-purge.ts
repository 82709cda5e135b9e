import type { CachePurge } from './port.ts';

/** Timeout of one request. Milliseconds. */
const TIMEOUT_MS = 3_000;

interface Options {
  /** All URLs are purged, because independent caches do not share invalidations. */
  urls: readonly string[];
  method: string;
  /** A header that authenticates the purge. */
  header?: readonly [name: string, value: string] | undefined;
}

/** Purges with one request to each URL, with the tags in `Surrogate-Key`, separated by spaces. */
export function httpPurge({ urls, method, header }: Options): CachePurge {
  return {
    target: urls.map((url) => new URL(url).host).join(', '),
    async purge(tags) {
      const headers = { 'surrogate-key': tags.join(' '), ...(header ? { [header[0]]: header[1] } : {}) };
      await Promise.all(
        urls.map(async (url) => {
          const response = await fetch(url, {
            method,
            headers,
            redirect: 'error',
            signal: AbortSignal.timeout(TIMEOUT_MS),
          });
          // The body is read to its end, because only then can the connection be reused.
          await response.arrayBuffer();
          if (!response.ok) throw new Error(`the cache at ${new URL(url).host} answered ${response.status}`);
        }),
      );
    },
  };
}
