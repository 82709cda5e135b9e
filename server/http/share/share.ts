import { createHash } from 'node:crypto';
import { RANKING_MAX } from '#contract/limits.ts';
import { plainText } from '#contract/markup.ts';
import type { NewsCard, NewsItem } from '#contract/news.ts';
import type { NextProject } from '#contract/next-projects.ts';
import type { Project } from '#contract/projects.ts';
import type { Token } from '#contract/tokens.ts';
import type { Ranking } from '#contract/voting.ts';
import type { MediaDesk } from '#server/domains/media/media.service.ts';
import { drawBadge } from './badge.ts';
import { type Card, cut, drawCard } from './card.ts';
import { type Language, words } from './words.ts';

/** What a link to us looks like elsewhere: pictures for previews, badges for other sites, lists for search engines. */
export interface SharedDocument {
  type: string;
  body: Buffer;
  etag: string;
  /** Seconds that others may keep it. */
  maxAge: number;
}

interface Options {
  /** Answers a request to /api; what a visitor may read is its decision. */
  api: (request: Request) => Response | Promise<Response>;
  publicUrl: string;
  /** Bytes of an uploaded image by its address ('/media/…'); null when there is none. */
  readImage: (address: string) => Promise<Uint8Array | null>;
  /** What wallets read about the token of a request; null when none was ordered. */
  readMetadata: (requestId: string) => Promise<object | null>;
  now?: () => number;
}

/** There is nothing to show for this address. */
class Nothing extends Error {}
/** It can't be made now. */
export class ShareUnavailable extends Error {}

/** Seconds for which a document is made once, however many ask. */
const KEEP = { card: 600, badge: 20, list: 600, metadata: 10 } as const;
const KEPT_MOST = 400;
/** Drawings that may wait for their turn; each takes about 0.1 s of a processor. */
const QUEUE_MOST = 40;
/** Addresses of one kind in the site map. */
const LISTED_MOST = 5_000;
const PAGE = 100;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Documents at /og/…, /badge/…, /token-metadata/…, /sitemap.xml and /robots.txt. `answer` is null for every other address.
 */
export function createShare(options: Options) {
  const now = options.now ?? Date.now;
  const absolute = (path: string) => new URL(path, options.publicUrl).href;

  async function read<T>(path: string): Promise<T> {
    const response = await options.api(new Request(absolute(`/api${path}`)));
    if (response.status === 404 || response.status === 400) throw new Nothing(path);
    if (!response.ok) throw new ShareUnavailable(`${path} answered ${response.status}`);
    return (await response.json()) as T;
  }
  const pictureOf = async (address: string | null): Promise<Uint8Array | null> =>
    address?.startsWith('/media/') ? options.readImage(address).catch(() => null) : null;

  /** Where a candidate stands; null for what is not in the running. */
  async function standing(token: Token): Promise<{ place: number; of: number; round: number | null } | null> {
    if (token.kind !== 'candidate') return null;
    const ranking = await read<Ranking>(`/candidates?limit=${RANKING_MAX}`);
    const index = ranking.items.findIndex(({ id }) => id === token.id);
    return index < 0 ? null : { place: index + 1, of: ranking.total, round: ranking.round?.number ?? null };
  }

  async function tokenCard(slug: string, language: Language): Promise<Card> {
    const text = words[language];
    const token = await read<Token>(`/tokens/${encodeURIComponent(slug)}`);
    const stand = await standing(token);
    const { launch } = token;
    const starts = launch?.countdownEnd ?? launch?.launchDate ?? null;
    const whole = (value: number) => new Intl.NumberFormat(text.locale).format(value);
    return {
      kicker: launch?.isVotingWinner
        ? text.winner
        : launch
          ? text.launch
          : token.kind === 'candidate'
            ? text.candidate(stand?.round ?? null)
            : text.project,
      title: token.tokenName,
      text: token.description ?? `$${token.tokenSymbol}`,
      figures: launch
        ? starts
          ? [{ value: text.date(new Date(starts)), name: launch.status === 'launched' ? text.launched : text.launches }]
          : []
        : stand
          ? [
              { value: `#${stand.place}`, name: text.of(whole(stand.of)) },
              { value: whole(token.totalVotes), name: text.votes(token.totalVotes) },
            ]
          : [],
      picture: await pictureOf(token.imageUrl),
      symbol: token.tokenSymbol,
      seed: token.id,
    };
  }

  async function newsCard(id: string, language: Language): Promise<Card> {
    const text = words[language];
    const item = await read<NewsItem>(`/news/${id}`);
    return {
      kicker: item.publishedAt ? `${text.news} · ${text.date(new Date(item.publishedAt))}` : text.news,
      title: item.title,
      text: plainText(item.content),
      figures: [],
      picture: null,
      symbol: null,
      seed: item.id,
    };
  }

  const siteCard = (language: Language): Card => ({
    ...words[language].site,
    figures: [],
    picture: null,
    symbol: null,
    seed: '',
  });

  async function badge(slug: string, language: Language): Promise<string> {
    const token = await read<Token>(`/tokens/${encodeURIComponent(slug)}`);
    const stand = await standing(token);
    const text = words[language];
    const votes = `${new Intl.NumberFormat(text.locale).format(token.totalVotes)} ${text.votes(token.totalVotes)}`;
    const right = stand
      ? `#${stand.place} · ${votes}`
      : token.kind === 'candidate'
        ? votes
        : text.badge[token.launch?.isVotingWinner ? 'winner' : token.launch ? 'launch' : 'project'];
    const page = `${language === 'en' ? '/en' : ''}/token/${encodeURIComponent(token.tokenSlug ?? token.id)}`;
    return drawBadge(`Florka · $${cut(token.tokenSymbol, 12) || '?'}`, right, absolute(page));
  }

  /** All of a list that comes in pages, by number or by cursor. */
  async function everything<T>(path: string): Promise<T[]> {
    const found: T[] = [];
    let from = '';
    while (found.length < LISTED_MOST) {
      const page = await read<{ items: T[]; nextCursor?: string | null }>(`${path}?limit=${PAGE}${from}`);
      found.push(...page.items);
      if (page.items.length < PAGE || page.nextCursor === null) break;
      from = page.nextCursor ? `&cursor=${encodeURIComponent(page.nextCursor)}` : `&offset=${found.length}`;
    }
    return found;
  }

  async function sitemap(): Promise<string> {
    const [projects, next, candidates, news] = await Promise.all([
      everything<Project>('/projects'),
      everything<NextProject>('/next-projects'),
      read<Ranking>(`/candidates?limit=${RANKING_MAX}`),
      everything<NewsCard>('/news'),
    ]);
    const tokens = new Set([
      ...projects.map(({ tokenSlug }) => tokenSlug),
      ...candidates.items.map(({ tokenSlug }) => tokenSlug),
      ...next.map(({ id }) => id),
    ]);
    const paths = [
      ...['/', '/vote', '/next', '/news', '/forum', '/create', '/publish'],
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
  const robots = () =>
    [
      'User-agent: *',
      ...['/admin', '/en/admin', '/admin-login', '/en/admin-login', '/rpc/', '/live', '/order/', '/en/order/'].map(
        (path) => `Disallow: ${path}`,
      ),
      '',
      `Sitemap: ${absolute('/sitemap.xml')}`,
      '',
    ].join('\n');

  // One at a time: drawing takes a whole processor, and everything else on this process waits meanwhile.
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  function draw(card: Card): Promise<Buffer> {
    if (waiting >= QUEUE_MOST) throw new ShareUnavailable('too many drawings');
    waiting++;
    const mine = turn.then(() => drawCard(card)).finally(() => waiting--);
    turn = mine.catch(() => {});
    return mine;
  }

  type Make = { keep: number; type: string; write: () => Promise<Buffer | string> };
  function makerOf(pathname: string): Make | null {
    if (pathname === '/sitemap.xml') return { keep: KEEP.list, type: 'application/xml; charset=utf-8', write: sitemap };
    if (pathname === '/robots.txt')
      return { keep: KEEP.list, type: 'text/plain; charset=utf-8', write: async () => robots() };
    const og = /^\/og\/(es|en)\/(site|token|news)(?:\/([^/]{1,160}))?\.png$/.exec(pathname);
    if (og) {
      const language = og[1] as Language;
      const id = decoded(og[3]);
      const card = async () => {
        if (og[2] === 'site' && id === null) return siteCard(language);
        if (og[2] === 'token' && id !== null) return tokenCard(id, language);
        if (og[2] === 'news' && id !== null && UUID.test(id)) return newsCard(id, language);
        throw new Nothing(pathname);
      };
      return { keep: KEEP.card, type: 'image/png', write: async () => draw(await card()) };
    }
    const metadata = /^\/token-metadata\/([^/]+)\.json$/.exec(pathname)?.[1];
    if (metadata !== undefined)
      return {
        keep: KEEP.metadata,
        type: 'application/json; charset=utf-8',
        write: async () => {
          const found = UUID.test(metadata) ? await options.readMetadata(metadata) : null;
          if (!found) throw new Nothing(pathname);
          return JSON.stringify(found);
        },
      };
    const [, language = 'es', part] = /^\/badge\/(?:(en)\/)?([^/]{1,160})\.svg$/.exec(pathname) ?? [];
    const slug = decoded(part);
    return slug === null
      ? null
      : { keep: KEEP.badge, type: 'image/svg+xml', write: () => badge(slug, language as Language) };
  }

  const kept = new Map<string, { at: number; document: Promise<SharedDocument | null> }>();
  /** Made once for all who ask within its time; a failure is kept for nobody. */
  function once(pathname: string, make: Make): Promise<SharedDocument | null> {
    const found = kept.get(pathname);
    if (found && now() - found.at < make.keep * 1_000) return found.document;
    const document = make.write().then(
      (written) => {
        const body = Buffer.from(written);
        const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 20)}"`;
        return { type: make.type, body, etag, maxAge: make.keep };
      },
      (error: unknown) => {
        if (error instanceof Nothing) return null;
        kept.delete(pathname);
        throw error;
      },
    );
    kept.delete(pathname);
    kept.set(pathname, { at: now(), document });
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_MOST) break;
      kept.delete(oldest);
    }
    return document;
  }

  return {
    /**
     * The document at an address, null when there is none, undefined when the address is not one of these.
     *
     * @throws ShareUnavailable
     */
    find(pathname: string): Promise<SharedDocument | null> | undefined {
      const make = makerOf(pathname);
      return make ? once(pathname, make) : undefined;
    },
  };
}

/** Reads uploaded images for the cards. */
export const imagesOf =
  (media: Pick<MediaDesk, 'open'>): Options['readImage'] =>
  async (address) => {
    const found = await media.open(address.slice('/media/'.length));
    return found && Buffer.concat(await (await found.stream()).toArray());
  };

function decoded(part: string | undefined): string | null {
  if (part === undefined) return null;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
