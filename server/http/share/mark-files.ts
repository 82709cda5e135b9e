import type { ServerResponse } from 'node:http';
import { markIcon } from '#contract/site.ts';

/** Fixed addresses of the drawn mark. */
const MARK_FILES = new Set([
  '/favicon.svg',
  '/apple-touch-icon.png',
  '/icon-192.png',
  '/icon-512.png',
  '/icon-maskable.svg',
]);

/** Redirects the addresses of the drawn mark to the site's own one. @returns whether it did. */
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
