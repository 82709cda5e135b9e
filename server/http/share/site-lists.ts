import { SITE_PAGES } from '#contract/limits.ts';
import { LANGUAGES, type Language, markIcon } from '#contract/site.ts';

/** Maximum number of pages in a site map: the format allows 50,000 URLs, and each page has one per language. */
export const MAX_PAGES = 25_000;

/** Entries of the site map besides the pages that always exist. */
export interface ListedSlugs {
  /** Path segments after `/token/`. */
  tokens: string[];
  /** Path segments after `/news/`. */
  news: string[];
}

/**
 * Site map in the languages of the site: the lists and pages that always exist, tokens and news; not posts of the forum, which its pages
 * link. Beyond the maximum the last ones are left out: tokens after the first 2,500 news, and then the other news.
 */
export function writeSitemap(
  { tokens, news }: ListedSlugs,
  languages: readonly Language[],
  absolute: (path: string) => string,
): string {
  const paths = [
    ...[
      '/',
      '/vote',
      '/next',
      '/tokens',
      '/news',
      '/forum',
      '/vote/race',
      '/ledger',
      '/moderation',
      '/create',
      '/publish',
    ],
    ...SITE_PAGES.map((page) => `/${page}`),
    ...news.slice(0, MAX_PAGES / 10).map((id) => `/news/${id}`),
    ...tokens.map((token) => `/token/${encodeURIComponent(token)}`),
    ...news.slice(MAX_PAGES / 10).map((id) => `/news/${id}`),
  ].slice(0, MAX_PAGES);
  const origin = absolute('/').slice(0, -1);
  const entries = paths.map((path) => {
    const spanish = origin + path.replace(/&/g, '&amp;').replace(/'/g, '&apos;');
    const english = `${origin}/en${path === '/' ? '' : spanish.slice(origin.length)}`;
    const address = { es: spanish, en: english };
    const twins =
      languages.length < 2
        ? ''
        : LANGUAGES.map((one) => `<xhtml:link rel="alternate" hreflang="${one}" href="${address[one]}"/>`).join('');
    return languages.map((one) => `<url><loc>${address[one]}</loc>${twins}</url>`).join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
}

/** Paths that crawlers need not request; pages that must not be indexed have noindex themselves. */
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

/** Days until the expiry of security.txt, counted from each time it is generated. */
const CONTACT_DAYS = 90;

/** security.txt (RFC 9116): the support mailbox of the site as contact for security reports. */
export const writeSecurityContact = (
  { mailbox, languages }: { mailbox: string; languages: readonly Language[] },
  now: Date,
  absolute: (path: string) => string,
): string =>
  [
    `Contact: mailto:${encodeURIComponent(mailbox).replace('%40', '@')}`,
    `Expires: ${new Date(now.getTime() + CONTACT_DAYS * 86_400_000).toISOString()}`,
    `Preferred-Languages: ${languages.join(', ')}`,
    `Canonical: ${absolute('/.well-known/security.txt')}`,
    '',
  ].join('\n');

const SLOGAN = { es: 'La feria de los lanzamientos justos', en: 'The fair of fair launches' };

/** The W3C Web Application Manifest of the site. */
export function writeManifest({
  name,
  mark,
  languages,
}: {
  name: string;
  mark: string | null;
  languages: readonly Language[];
}): string {
  const language = languages.includes('es') ? 'es' : 'en';
  const icon = (src: string, sizes: string, type: string, purpose: string) => ({ src, sizes, type, purpose });
  return JSON.stringify({
    name,
    short_name: name,
    description: SLOGAN[language],
    lang: language,
    start_url: language === 'es' ? '/' : '/en',
    scope: '/',
    display: 'standalone',
    background_color: '#0e0f1a',
    theme_color: '#0e0f1a',
    icons: mark
      ? [icon(markIcon(mark), '512x512', 'image/png', 'any')]
      : [
          icon('/icon-192.png', '192x192', 'image/png', 'any'),
          icon('/icon-512.png', '512x512', 'image/png', 'any'),
          icon('/icon-maskable.svg', 'any', 'image/svg+xml', 'maskable'),
        ],
  });
}
