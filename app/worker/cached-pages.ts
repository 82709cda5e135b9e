import { SITE_PAGES } from '#contract/limits.ts';
import { smallMark } from '#contract/site.ts';
import { NOTICE_PARAMETER } from '#contract/text/notice-address.ts';

/** Public pages that are the same for everybody and can be read offline. */
const CACHEABLE = new RegExp(
  `^/(en)?$|^(/en)?/(${['vote', 'next', 'news', 'forum', ...SITE_PAGES].join('|')}|token/[a-z0-9-]+(/candidate)?|news/[0-9a-f-]{36})$`,
);
/** Parameters that select a view of a page; searches are never cached. */
const VIEW = /^\??((tab=(next|new)|page=\d{1,3})&?)*$/;

/**
 * The cache key of a document.
 * @returns null for what is never cached: personal pages, forms, the back office, searches, and everything that is not a page.
 */
export function cacheKeyOf({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string | null {
  if (!CACHEABLE.test(pathname)) return null;
  // Tracking parameters of external links (utm_source and similar), and the notification that led here, do not change the page.
  const view = new URLSearchParams(search);
  for (const name of [...view.keys()])
    if (name.startsWith('utm_') || name === 'ref' || name === NOTICE_PARAMETER) view.delete(name);
  const query = view.size > 0 ? `?${view}` : '';
  return VIEW.test(query) ? pathname + query : null;
}

/** The build's files that a document needs, and the mark of the site. */
export const assetsOf = (html: string): string[] => [
  ...new Set(html.match(/\/assets\/[\w./-]+\.(?:js|css|woff2)/g) ?? []),
  ...[markOf(html)].filter((file) => file !== null),
];

/** The address of the site's own mark; null where the drawn one stands in its place, and where images come from another host. */
export function markOf(html: string): string | null {
  const icon = /<link rel="icon" href="(\/media\/[0-9a-f]{32})-512\.png"/.exec(html)?.[1];
  return icon ? smallMark(`${icon}.webp`) : null;
}
