import { SITE_PAGES } from '#contract/limits.ts';

/** Pages in one site map: by its format 50,000 addresses, and each page has two. */
export const MAX_PAGES = 25_000;

/** What the site map lists besides the pages that are always there. */
export interface Addresses {
  /** What follows `/token/`. */
  tokens: string[];
  /** What follows `/news/`. */
  news: string[];
}

/** Every public address in both languages, for search engines; of more than a site map may have, the first tokens and news. */
export function writeSitemap({ tokens, news }: Addresses, absolute: (path: string) => string): string {
  const paths = [
    ...['/', '/vote', '/next', '/news', '/forum', '/ledger', '/moderation', '/create', '/publish'],
    ...SITE_PAGES.map((page) => `/${page}`),
    ...news.slice(0, MAX_PAGES / 10).map((id) => `/news/${id}`),
    ...tokens.map((token) => `/token/${encodeURIComponent(token)}`),
    ...news.slice(MAX_PAGES / 10).map((id) => `/news/${id}`),
  ].slice(0, MAX_PAGES);
  const origin = absolute('/').slice(0, -1);
  const entries = paths.map((path) => {
    const spanish = origin + path.replace(/&/g, '&amp;').replace(/'/g, '&apos;');
    const english = `${origin}/en${path === '/' ? '' : spanish.slice(origin.length)}`;
    const twins = `<xhtml:link rel="alternate" hreflang="es" href="${spanish}"/><xhtml:link rel="alternate" hreflang="en" href="${english}"/>`;
    return `<url><loc>${spanish}</loc>${twins}</url>\n<url><loc>${english}</loc>${twins}</url>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
}

/** What no search engine needs to ask for; what must not be shown says so itself (noindex). */
export const writeRobots = (absolute: (path: string) => string): string =>
  [
    'User-agent: *',
    ...['/admin', '/en/admin', '/admin-login', '/en/admin-login', '/rpc/', '/live', '/order/', '/en/order/'].map(
      (path) => `Disallow: ${path}`,
    ),
    '',
    `Sitemap: ${absolute('/sitemap.xml')}`,
    '',
  ].join('\n');

/** Days for which what `writeSecurityContact` says is good; it is written anew all the time. */
const CONTACT_DAYS = 90;

/** Where holes are reported (RFC 9116): the help mailbox of the site. */
export const writeSecurityContact = (mailbox: string, now: Date, absolute: (path: string) => string): string =>
  [
    `Contact: mailto:${encodeURIComponent(mailbox).replace('%40', '@')}`,
    `Expires: ${new Date(now.getTime() + CONTACT_DAYS * 86_400_000).toISOString()}`,
    'Preferred-Languages: es, en',
    `Canonical: ${absolute('/.well-known/security.txt')}`,
    '',
  ].join('\n');
