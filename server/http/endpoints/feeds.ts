import type { NewsCard, NewsItem } from '#contract/domains/news.ts';
import type { Launch } from '#contract/domains/next-projects.ts';
import type { LiveDomain } from '#contract/live.ts';
import { type Language, offeredLanguage } from '#contract/site.ts';
import { plainText } from '#contract/text/markup.ts';
import type { Settings } from '#server/domains/settings/settings.port.ts';

/** Reads our own API as an anonymous visitor, so feeds contain public data only. @throws Response when it refuses. */
type Read = <T>(path: string) => Promise<T | null>;

export interface Feed {
  tags: readonly LiveDomain[];
  type: string;
  write: () => Promise<string>;
}

/** Feed readers poll often; within this time they need no request. */
export const FEED_CACHE = 'private, max-age=300';

const NEWS_ITEMS = 30;

const TEXT = {
  news: {
    es: {
      title: (site: string) => `${site} · News`,
      description: 'Lo que pasa en la feria: rondas, ganadores, lanzamientos y avisos.',
    },
    en: {
      title: (site: string) => `${site} · News`,
      description: 'What happens at the fair: rounds, winners, launches and announcements.',
    },
  } satisfies Record<Language, object>,
  calendar: {
    es: {
      title: (site: string) => `${site} · Próximos lanzamientos`,
      event: (name: string) => `Lanzamiento: ${name}`,
      changed: (at: string, was: string) => `Hora anunciada cambiada el ${at}; antes: ${was}`,
      noHour: 'sin hora',
    },
    en: {
      title: (site: string) => `${site} · Upcoming launches`,
      event: (name: string) => `Launch: ${name}`,
      changed: (at: string, was: string) => `Announced hour changed on ${at}; before: ${was}`,
      noHour: 'without an hour',
    },
  } satisfies Record<Language, object>,
};

/**
 * The site's machine-readable lists, for feed readers and calendars. The same data yield the same bytes, so an unchanged feed
 * is answered with 304.
 *
 * @param api handles a request to /api, which decides what is public. @param options.settings the site's name.
 */
export function createFeeds(
  api: (request: Request) => Response | Promise<Response>,
  { publicUrl, settings }: { publicUrl: string; settings: Pick<Settings, 'site'> },
) {
  const absolute = (path: string) => new URL(path, publicUrl).href;
  const read: Read = async <T>(path: string) => {
    const response = await api(new Request(absolute(`/api${path}`)));
    if (response.status === 404) return null;
    if (!response.ok) throw new FeedUnavailable(`${path} answered ${response.status}`);
    return (await response.json()) as T;
  };
  /** @param wanted language of its address; a site with a single language has its texts in that one. */
  const calendar = (wanted: Language): Feed => ({
    tags: ['nextProjects'],
    type: 'text/calendar; charset=utf-8',
    write: async () => {
      const { name, languages } = settings.site();
      const launches = (await read<Launch[]>('/next-projects/launches')) ?? [];
      return writeCalendar(launches, absolute, { siteName: name, language: offeredLanguage(wanted, languages) });
    },
  });
  /** @param wanted as for the calendar. */
  const news = (wanted: Language, path: string): Feed => ({
    tags: ['news'],
    type: 'application/rss+xml; charset=utf-8',
    write: async () => {
      const { name, languages } = settings.site();
      const language = offeredLanguage(wanted, languages);
      return writeNews(await readNews(read), absolute, { siteName: name, language, path });
    },
  });
  const feeds: Record<string, Feed> = {
    '/news/feed.xml': news('es', '/news/feed.xml'),
    '/en/news/feed.xml': news('en', '/en/news/feed.xml'),
    '/next/calendar.ics': calendar('es'),
    '/en/next/calendar.ics': calendar('en'),
  };
  return {
    find: (pathname: string): Feed | undefined => (Object.hasOwn(feeds, pathname) ? feeds[pathname] : undefined),
    /** 503 while the API is unavailable. */
    answer: async (feed: Feed): Promise<Response> => {
      try {
        return new Response(await feed.write(), { headers: { 'content-type': feed.type } });
      } catch (error) {
        if (!(error instanceof FeedUnavailable)) throw error;
        return new Response('Not available right now', {
          status: 503,
          headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '5' },
        });
      }
    },
  };
}

class FeedUnavailable extends Error {}

async function readNews(read: Read): Promise<NewsItem[]> {
  const list = await read<{ items: NewsCard[] }>(`/news?limit=${NEWS_ITEMS}`);
  const items = await Promise.all((list?.items ?? []).map(({ id }) => read<NewsItem>(`/news/${id}`)));
  // An item can have been unpublished since the list was read.
  return items.filter((item) => item !== null);
}

/** Characters that XML 1.0 can't contain, even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const ENTITY: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const xml = (text: string) =>
  text
    .toWellFormed()
    .replace(NOT_XML, '')
    .replace(/[&<>"']/g, (sign) => ENTITY[sign] ?? '');

/** RSS 2.0; `path` is that of the feed itself. */
function writeNews(
  items: NewsItem[],
  absolute: (path: string) => string,
  { siteName, language, path }: { siteName: string; language: Language; path: string },
): string {
  const text = TEXT.news[language];
  const list = language === 'en' ? '/en/news' : '/news';
  const entries = items.map((item) =>
    [
      '<item>',
      `<title>${xml(item.title)}</title>`,
      `<link>${xml(absolute(`${list}/${item.id}`))}</link>`,
      // The same in each language: readers would list an item again under another one.
      `<guid isPermaLink="true">${xml(absolute(`/news/${item.id}`))}</guid>`,
      ...(item.publishedAt ? [`<pubDate>${new Date(item.publishedAt).toUTCString()}</pubDate>`] : []),
      `<dc:creator>${xml(item.authorName)}</dc:creator>`,
      `<description>${xml(plainText(item.content))}</description>`,
      '</item>',
    ].join('\n'),
  );
  const newest = items
    .map((item) => item.updatedAt)
    .sort()
    .at(-1);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    '<channel>',
    `<title>${xml(text.title(siteName))}</title>`,
    `<link>${xml(absolute(list))}</link>`,
    `<description>${xml(text.description)}</description>`,
    `<language>${language}</language>`,
    ...(newest ? [`<lastBuildDate>${new Date(newest).toUTCString()}</lastBuildDate>`] : []),
    `<atom:link href="${xml(absolute(path))}" rel="self" type="application/rss+xml"/>`,
    ...entries,
    '</channel>',
    '</rss>',
    '',
  ].join('\n');
}

/** '20261121T180000Z' */
const utc = (iso: string) => `${new Date(iso).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

/** A text value: its special characters escaped, other control characters removed. */
const icsText = (text: string) =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about.
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

const FOLD_AT = 75;
/** Folds a line to at most 75 octets, never within a character; continuation lines start with a space. */
export function foldLine(line: string): string {
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const sign of line) {
    const size = Buffer.byteLength(sign);
    if (octets + size > FOLD_AT) {
      lines.push(current);
      current = ' ';
      octets = 1;
    }
    current += sign;
    octets += size;
  }
  return [...lines, current].join('\r\n');
}

/** '2026-11-21 18:00 UTC' */
const moment = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

/** Changes of the announced launch time, one per line. */
const changesOf = ({ changes }: Launch, { changed, noHour }: (typeof TEXT.calendar)[Language]): string[] =>
  changes.map(({ was, at }) => changed(moment(at), was ? moment(was) : noHour));

/** iCalendar (RFC 5545): one event per launch. A moved launch is the same event with a higher SEQUENCE. */
function writeCalendar(
  launches: Launch[],
  absolute: (path: string) => string,
  { siteName, language }: { siteName: string; language: Language },
): string {
  const text = TEXT.calendar[language];
  const events = launches.flatMap((launch) => {
    const changed = utc(launch.updatedAt);
    const link = absolute(`${language === 'en' ? '/en' : ''}/token/${launch.id}`);
    const seconds = Math.floor((Date.parse(launch.updatedAt) - Date.parse(launch.createdAt)) / 1_000);
    // Two changes within one second are two revisions.
    const revision = Math.max(0, seconds) + launch.changes.length;
    return [
      'BEGIN:VEVENT',
      // Independent of the site's address, because a changed UID would duplicate every event.
      `UID:${launch.id}@next.florka`,
      `DTSTAMP:${changed}`,
      `CREATED:${utc(launch.createdAt)}`,
      `LAST-MODIFIED:${changed}`,
      // Increases with every change, as calendars require.
      `SEQUENCE:${Math.min(revision, 2 ** 31 - 1)}`,
      `DTSTART:${utc(launch.startsAt)}`,
      'DURATION:PT1H',
      `SUMMARY:${icsText(text.event(`${launch.tokenName} ($${launch.tokenSymbol})`))}`,
      `DESCRIPTION:${icsText([...(launch.description ? [launch.description] : []), ...changesOf(launch, text), link].join('\n'))}`,
      `URL:${link}`,
      'STATUS:CONFIRMED',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ];
  });
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//Florka//Next//${language.toUpperCase()}`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${icsText(text.title(siteName))}`,
    `X-WR-CALNAME:${icsText(text.title(siteName))}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...events,
    'END:VCALENDAR',
  ]
    .map((line) => `${foldLine(line)}\r\n`)
    .join('');
}
