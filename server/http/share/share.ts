import { createHash } from 'node:crypto';
import type { Ranking } from '#contract/domains/voting.ts';
import { EMBED } from '#contract/embed.ts';
import type { MediaService } from '#server/domains/media/media.port.ts';
import type { Settings } from '#server/domains/settings/settings.port.ts';
import { canonicalId, canonicalToken } from '#server/http/pages/canonical.ts';
import { createCardContents } from './card-contents.ts';
import { createDrawing } from './card-drawing.ts';
import type { CardStore } from './card-store.ts';
import type { Language } from './card-texts.ts';
import { EMBED_SHOWN, embeddable, writeEmbed, writeOembed } from './embed.ts';
import { type Read, type SharedDocument, ShareMoved, ShareNotFound, ShareUnavailable } from './shared-document.ts';
import { type ListedSlugs, writeManifest, writeRobots, writeSecurityContact, writeSitemap } from './site-lists.ts';

interface Options {
  /** Handles a request to /api, which decides what a visitor may read. */
  api: (request: Request) => Response | Promise<Response>;
  publicUrl: string;
  /** Bytes of an uploaded image by its path ('/media/…'); null if there is none. */
  readImage: (address: string) => Promise<Uint8Array | null>;
  /** Metadata of a request's token, for wallets; null if none was ordered. */
  readMetadata: (requestId: string) => Promise<object | null>;
  /** Entries of the site map. */
  readListedSlugs: () => Promise<ListedSlugs>;
  /** The site's name, mark and languages. */
  settings: Pick<Settings, 'site' | 'onChange'>;
  /** Store of drawn cards. */
  cards: CardStore;
  /** Consumes the rate limit for a drawing. @throws RATE_LIMITED */
  consumeDrawingLimit: (address: string) => Promise<void>;
  now?: () => number;
}

/** A document, its other path, that it does not exist in the requested format, or null if there is none. */
export type Found = SharedDocument | { moved: string } | { unsupportedFormat: true } | null;

/** Seconds for which a document is cached and shared by all clients. */
const TTL = { card: 600, ticket: 20, badge: 20, list: 600, metadata: 10, oembed: 3_600, absent: 20 } as const;
const MAX_CACHED = 400;

interface Make {
  maxAge: number;
  type: string;
  framed?: boolean;
  write: (clientAddress: string) => Promise<Buffer | string>;
}

/** The ranking for other sites: without scripts, embeddable anywhere, and as fresh as a badge. */
function embedAt(
  pathname: string,
  read: Read,
  absolute: (path: string) => string,
  siteName: () => string,
): Make | undefined {
  const language = (['es', 'en'] as const).find((one) => EMBED.paths[one] === pathname);
  if (!language) return undefined;
  return {
    maxAge: TTL.badge,
    type: 'text/html; charset=utf-8',
    framed: true,
    write: async () =>
      writeEmbed(await read<Ranking>(`/candidates?limit=${EMBED_SHOWN}`), { language, siteName: siteName() }, absolute),
  };
}

/** oEmbed response for the URL of the ranking; JSON only. Not cached, because it is cheap. */
function oembed(query: string, absolute: (path: string) => string, siteName: string): Found {
  const parameters = new URLSearchParams(query);
  const language = embeddable(parameters.get('url') ?? '', absolute);
  if (!language) return null;
  if ((parameters.get('format') ?? 'json') !== 'json') return { unsupportedFormat: true };
  const max = (name: string) => {
    const value = Number(parameters.get(name) ?? Number.POSITIVE_INFINITY);
    return value >= 1 ? Math.floor(value) : Number.POSITIVE_INFINITY;
  };
  const body = Buffer.from(
    writeOembed({ language, siteName }, { width: max('maxwidth'), height: max('maxheight') }, absolute),
  );
  return { type: 'application/json; charset=utf-8', body, etag: etagOf(body), maxAge: TTL.oembed };
}

/** Contact for security reports; not found if no mailbox is configured. */
const securityContact = (
  read: Read,
  absolute: (path: string) => string,
  now: () => number,
  languages: () => readonly Language[],
): Make => ({
  maxAge: TTL.badge,
  type: 'text/plain; charset=utf-8',
  write: async () => {
    const { supportEmail } = await read<{ supportEmail: string | null }>('/site-contact');
    if (!supportEmail) throw new ShareNotFound('/.well-known/security.txt');
    return writeSecurityContact({ mailbox: supportEmail, languages: languages() }, new Date(now()), absolute);
  },
});

/**
 * Shares each document among all clients during its lifetime. Failures are not cached; that a document does not exist or has another path
 * is cached for seconds only, because its record may be published at any moment.
 */
function makeOnce(now: () => number, settings: Pick<Settings, 'onChange'>) {
  const stored = new Map<string, { until: number; document: Promise<Found> }>();
  // All documents may depend on settings.
  settings.onChange(() => stored.clear());
  return function once(pathname: string, make: Make, clientAddress: string): Promise<Found> {
    const found = stored.get(pathname);
    if (found && now() < found.until) return found.document;
    const withoutDocument = (answer: Found): Found => {
      entry.until = Math.min(entry.until, now() + TTL.absent * 1_000);
      return answer;
    };
    const document = make.write(clientAddress).then(
      (written): Found => {
        const body = Buffer.from(written);
        return {
          type: make.type,
          body,
          etag: etagOf(body),
          maxAge: make.maxAge,
          ...(make.framed ? { framed: true } : {}),
        };
      },
      (error: unknown) => {
        if (error instanceof ShareNotFound) return withoutDocument(null);
        if (error instanceof ShareMoved) return withoutDocument({ moved: error.path });
        stored.delete(pathname);
        throw error;
      },
    );
    const entry = { until: now() + make.maxAge * 1_000, document };
    stored.delete(pathname);
    stored.set(pathname, entry);
    for (const oldest of stored.keys()) {
      if (stored.size <= MAX_CACHED) break;
      stored.delete(oldest);
    }
    return document;
  };
}

/**
 * Documents at /og/…, /badge/…, /embed/…, /oembed, /token-metadata/…, /sitemap.xml, /robots.txt, /site.webmanifest and
 * /.well-known/security.txt; for every other path `find` returns undefined. Each document has one canonical path:
 * others are redirected or not found before anything is read or drawn.
 */
export function createShare(options: Options) {
  const now = options.now ?? Date.now;
  const absolute = (path: string) => new URL(path, options.publicUrl).href;

  async function read<T>(path: string): Promise<T> {
    const response = await options.api(new Request(absolute(`/api${path}`)));
    if (response.status === 404 || response.status === 400) throw new ShareNotFound(path);
    if (!response.ok) throw new ShareUnavailable(`${path} answered ${response.status}`);
    return (await response.json()) as T;
  }
  const siteName = () => options.settings.site().name;
  const facts = createCardContents(read, absolute, () => options.settings.site());
  const draw = createDrawing({ ...options, store: options.cards });

  function cardAt(pathname: string): Make | Found | undefined {
    const [, language, kind, part] =
      /^\/og\/(es|en)\/(site|token|news|ticket)(?:\/([^/]+))?\.png$/.exec(pathname) ?? [];
    if (!language) return undefined;
    const lang = language as Language;
    // A vote that was just voided must not be shown as counted for ten minutes.
    const maxAge = kind === 'ticket' ? TTL.ticket : TTL.card;
    const card = (write: Make['write']): Make => ({ maxAge, type: 'image/png', write });
    if (kind === 'site')
      return part === undefined ? card((clientAddress) => draw(facts.site(lang), clientAddress)) : null;
    const name = kind === 'token' ? canonicalToken(part ?? '') : canonicalId(part ?? '');
    if (name === null) return null;
    if (name !== part) return { moved: `/og/${language}/${kind}/${name}.png` };
    const read = facts[kind as 'token' | 'news' | 'ticket'];
    return card(async (clientAddress) => draw(await read(name, lang), clientAddress));
  }

  function badgeAt(pathname: string): Make | Found | undefined {
    const [, english, part] = /^\/badge\/(en\/)?([^/]+)\.svg$/.exec(pathname) ?? [];
    if (part === undefined) return undefined;
    const name = canonicalToken(part);
    if (name === null) return null;
    if (name !== part) return { moved: `/badge/${english ?? ''}${name}.svg` };
    return { maxAge: TTL.badge, type: 'image/svg+xml', write: () => facts.badge(name, english ? 'en' : 'es') };
  }

  function metadataAt(pathname: string): Make | Found | undefined {
    const part = /^\/token-metadata\/([^/]+)\.json$/.exec(pathname)?.[1];
    if (part === undefined) return undefined;
    const id = canonicalId(part);
    if (id === null) return null;
    if (id !== part) return { moved: `/token-metadata/${id}.json` };
    return {
      maxAge: TTL.metadata,
      type: 'application/json; charset=utf-8',
      write: async () => {
        const found = await options.readMetadata(id);
        if (!found) throw new ShareNotFound(pathname);
        return JSON.stringify(found);
      },
    };
  }

  function listAt(pathname: string): Make | undefined {
    if (pathname === '/sitemap.xml')
      return {
        maxAge: TTL.list,
        type: 'application/xml; charset=utf-8',
        write: async () => writeSitemap(await options.readListedSlugs(), options.settings.site().languages, absolute),
      };
    if (pathname === '/robots.txt')
      return { maxAge: TTL.list, type: 'text/plain; charset=utf-8', write: async () => writeRobots(absolute) };
    if (pathname === '/site.webmanifest')
      return {
        maxAge: TTL.list,
        type: 'application/manifest+json',
        write: async () => writeManifest(options.settings.site()),
      };
    if (pathname === '/.well-known/security.txt')
      return securityContact(read, absolute, now, () => options.settings.site().languages);
    return undefined;
  }

  const once = makeOnce(now, options.settings);

  return {
    /**
     * The document of a path: a document, its other path, null if there is none, or undefined if the path is not one of
     * these.
     *
     * @param clientAddress client address, whose drawings are counted.
     * @param query with its question mark, or ''; only /oembed has one.
     * @throws ShareUnavailable, RATE_LIMITED
     */
    find(pathname: string, clientAddress: string, query = ''): Promise<Found> | undefined {
      if (pathname === '/oembed') return Promise.resolve(oembed(query, absolute, siteName()));
      const at =
        listAt(pathname) ??
        embedAt(pathname, read, absolute, siteName) ??
        cardAt(pathname) ??
        badgeAt(pathname) ??
        metadataAt(pathname);
      if (at === undefined) return undefined;
      return at !== null && 'write' in at ? once(pathname, at, clientAddress) : Promise.resolve(at);
    },
  };
}

const etagOf = (body: Buffer): string => `"${createHash('sha256').update(body).digest('base64url').slice(0, 20)}"`;

/** Reads uploaded images for the cards. */
export const imagesOf =
  (media: Pick<MediaService, 'open'>): Options['readImage'] =>
  async (address) => {
    const found = await media.open(address.slice('/media/'.length));
    return found && Buffer.concat(await (await found.stream()).toArray());
  };
