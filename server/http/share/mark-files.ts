import type { ServerResponse } from 'node:http';
import { markIcon } from '#contract/site.ts';

/** Fixed paths of the default mark. */
const MARK_FILES = new Set([
  '/favicon.svg',
  '/apple-touch-icon.png',
  '/icon-192.png',
  '/icon-512.png',
  '/icon-maskable.svg',
]);

/** Redirects the paths of the default mark to the site's own one. @returns true if the request was handled. */
export function redirectToMark(
  res: ServerResponse,
  pathname: string,
  mark: string | null,
  headers: [string, string][],
): boolean {
  if (!mark || !MARK_FILES.has(pathname)) return false;
  for (const [name, value] of headers) res.setHeader(name, value);
  res.writeHead(302, { location: markIcon(mark), 'cache-control': 'no-cache' });
  res.end();
  return true;
}
