import { httpPurge } from './http-purge.ts';
import type { CachePurge } from './port.ts';

/** `Name: value`, as in CACHE_PURGE_HEADER; null for anything else. */
export function parseHeader(text: string): [name: string, value: string] | null {
  const [, name, value] = /^([A-Za-z0-9-]{1,100}):[ \t]*(\S(?:[\x20-\x7e]*\S)?)$/.exec(text) ?? [];
  return name && value ? [name, value] : null;
}

/** Comma-separated URLs; null when one of them is not an http URL. */
export function parsePurgeUrls(text: string): string[] | null {
  const urls = text.split(',').map((url) => url.trim());
  return urls.every((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? '')) ? urls : null;
}

/** The configured cache in front of the site; null when there is none that supports purging. */
export function openCachePurge(env: {
  CACHE_PURGE_URL?: string | undefined;
  CACHE_PURGE_METHOD: string;
  CACHE_PURGE_HEADER?: string | undefined;
}): CachePurge | null {
  const urls = env.CACHE_PURGE_URL ? parsePurgeUrls(env.CACHE_PURGE_URL) : null;
  if (!urls) return null;
  const header = env.CACHE_PURGE_HEADER ? (parseHeader(env.CACHE_PURGE_HEADER) ?? undefined) : undefined;
  return httpPurge({ urls, method: env.CACHE_PURGE_METHOD, header });
}
