import { RANKING_MAX, SITE_PAGES } from '#contract/limits.ts';
import type { NewsCard } from '#contract/news.ts';
import type { NextProject } from '#contract/next-projects.ts';
import type { Project } from '#contract/projects.ts';
import type { Ranking } from '#contract/voting.ts';
import type { Read } from './shared.ts';

/** Addresses of one kind in the site map. */
const MAX_LISTED = 5_000;
const PAGE = 100;

/** All of a list that comes in pages, by number or by cursor. */
async function everything<T>(read: Read, path: string): Promise<T[]> {
  const found: T[] = [];
  let from = '';
  while (found.length < MAX_LISTED) {
    const page = await read<{ items: T[]; nextCursor?: string | null }>(`${path}?limit=${PAGE}${from}`);
    found.push(...page.items);
    if (page.items.length < PAGE || page.nextCursor === null) break;
    from = page.nextCursor ? `&cursor=${encodeURIComponent(page.nextCursor)}` : `&offset=${found.length}`;
  }
  return found;
}

/** Every public address in both languages, for search engines. */
export async function writeSitemap(read: Read, absolute: (path: string) => string): Promise<string> {
  const [projects, next, candidates, news] = await Promise.all([
    everything<Project>(read, '/projects'),
    everything<NextProject>(read, '/next-projects'),
    read<Ranking>(`/candidates?limit=${RANKING_MAX}`),
    everything<NewsCard>(read, '/news'),
  ]);
  const tokens = new Set([
    ...projects.map(({ tokenSlug }) => tokenSlug),
    ...candidates.items.map(({ tokenSlug }) => tokenSlug),
    ...next.map(({ id }) => id),
  ]);
  const paths = [
    ...['/', '/vote', '/next', '/news', '/forum', '/ledger', '/moderation', '/create', '/publish'],
    ...SITE_PAGES.map((page) => `/${page}`),
    ...[...tokens].map((slug) => `/token/${encodeURIComponent(slug)}`),
    ...news.map(({ id }) => `/news/${id}`),
  ];
  const xml = (path: string) => absolute(path).replace(/&/g, '&amp;').replace(/'/g, '&apos;');
  const inEnglish = (path: string) => (path === '/' ? '/en' : `/en${path}`);
  const entries = paths.flatMap((path) => {
    const twins = [
      `<xhtml:link rel="alternate" hreflang="es" href="${xml(path)}"/>`,
      `<xhtml:link rel="alternate" hreflang="en" href="${xml(inEnglish(path))}"/>`,
    ].join('');
    return [path, inEnglish(path)].map((one) => `<url><loc>${xml(one)}</loc>${twins}</url>`);
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
