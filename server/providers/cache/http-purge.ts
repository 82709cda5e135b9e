import type { CachePurge } from './port.ts';

/** Longest wait for one answer. Milliseconds. */
const TIMEOUT_MS = 3_000;

interface Options {
  /** All of them are asked: caches beside each other know nothing of each other. */
  urls: readonly string[];
  method: string;
  /** A header that proves the right to ask. */
  header?: readonly [name: string, value: string] | undefined;
}

/** Purges by one request to each address, with the tags in `Surrogate-Key`, separated by spaces. */
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
          // Read to its end: only then is the connection free for the next one.
          await response.arrayBuffer();
          if (!response.ok) throw new Error(`the cache at ${new URL(url).host} answered ${response.status}`);
        }),
      );
    },
  };
}
