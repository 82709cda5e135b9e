import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LiveDomain } from '#contract/live.ts';
import { type DocumentOrigins, documentHeaders, securityHeaders } from '#server/http/security-headers.ts';
import { withinTimeout } from '#server/lib/concurrency/within-timeout.ts';
import { bestEncoding } from './accept-encoding.ts';
import { BoundedPages } from './bounded-pages.ts';
import { isNotModified } from './conditional.ts';
import { PageBody } from './page-body.ts';

/** A finished document with flat header lists ready for the socket. */
export interface Page {
  status: number;
  /** For a stale copy: time when its data were read. Milliseconds. */
  staleAt?: number | undefined;
  /** CSP sources of the document's own inline scripts. */
  scripts: readonly string[];
  /** For a page that shared caches may store: time when its data were read. Milliseconds. */
  readAt?: number | undefined;
  /** For such a page: its private variant for a single reader, which shared caches may not store. */
  privateVariant?: Page | undefined;
  etag: string;
  body: PageBody;
  /** Without content-encoding and content-length, which depend on the encoding that is sent. */
  headers: { full: string[]; notModified: string[] };
}

/** Metadata of a document besides its bytes. */
interface About {
  /** The `nonce` of its own inline scripts. Without it none of its scripts is allowed. */
  nonce?: string;
  /** The document, one character per byte, where the response does not have it as its body. */
  html?: string | undefined;
  /** For a copy, which no longer has nonces: the script sources of its original page. */
  scripts?: readonly string[];
  /** For a copy: time when its data were read. Milliseconds. */
  staleAt?: number;
  /** Other origins that it needs. */
  origins?: DocumentOrigins | undefined;
  /** Returns the critical styles of a document, to be inlined in its head. */
  stylesOf?: ((html: string) => string) | undefined;
}

/**
 * Turns a rendered document into a Page. The content security policy contains the hashes of the inline scripts with the
 * nonce of this render, and of no others: injected content cannot know the nonce. The nonce itself is removed: in a cached page
 * it would be the same for all readers.
 */
export async function finishPage(
  response: Response,
  secure: boolean,
  cacheControl: string,
  { nonce, html: given, scripts: known, staleAt, origins, stylesOf }: About = {},
): Promise<Page> {
  const type = withCharset(response.headers.get('content-type') ?? 'text/html');
  const isDocument = type.startsWith('text/html');
  const bytes = given === undefined ? Buffer.from(await response.arrayBuffer()) : null;
  // One character per byte: only ASCII is searched and removed, so the document need not be decoded.
  const html = given ?? (isDocument && nonce && bytes ? bytes.toString('latin1') : '');
  const scripts = known ?? (nonce ? scriptsWithNonce(html, nonce) : []);
  const finished = html && nonce ? withStyles(html.replaceAll(` nonce="${nonce}"`, ''), stylesOf) : html;
  const identity = finished || !bytes ? Buffer.from(finished, 'latin1') : bytes;
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 20)}"`;
  const shared = {
    ...(isDocument ? documentHeaders(secure, scripts, origins) : securityHeaders(secure)),
    'cache-control': cacheControl,
    vary: 'Accept-Encoding',
    etag,
    ...(staleAt === undefined ? {} : { warning: '110 - "Response is Stale"' }),
  };
  return {
    status: response.status,
    staleAt,
    scripts,
    etag,
    body: new PageBody(identity),
    headers: {
      full: Object.entries({ ...shared, 'content-type': type, ...passedOn(response.headers) }).flat(),
      notModified: Object.entries(shared).flat(),
    },
  };
}

/**
 * Inserts the styles before the first stylesheet of the head: the first one determines the order of layers.
 *
 * @param html one character per byte.
 */
function withStyles(html: string, stylesOf: About['stylesOf']): string {
  const styles = stylesOf?.(html);
  const end = html.indexOf('</head>');
  if (!styles || end < 0) return html;
  const sheet = html.indexOf('<link rel="stylesheet"');
  const at = sheet >= 0 && sheet < end ? sheet : end;
  return `${html.slice(0, at)}<style>${styles}</style>${html.slice(at)}`;
}

/** CSP sources of the inline scripts with the nonce. @param html one character per byte */
function scriptsWithNonce(html: string, nonce: string): string[] {
  const script = new RegExp(`<script(?=[^>]*\\snonce="${nonce}")(?![^>]*\\ssrc=)[^>]*>([\\s\\S]*?)</script>`, 'g');
  const hashes = [...html.matchAll(script)].map(([, code = '']) =>
    createHash('sha256').update(code, 'latin1').digest('base64'),
  );
  return [...new Set(hashes)].map((hash) => `'sha256-${hash}'`);
}

/** Adds the charset to the media type of a document, so that browsers do not have to detect it. */
const withCharset = (type: string) => (/^text\/html\s*$/i.test(type) ? 'text/html; charset=utf-8' : type);

/** Headers of the route's response that are passed on. */
function passedOn(headers: Headers): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of ['location', 'retry-after']) {
    const value = headers.get(name);
    if (value !== null) passed[name] = value;
  }
  return passed;
}

/** A response that sets a cookie is for its reader only. */
const variantFor = (page: Page, res: ServerResponse): Page =>
  page.privateVariant && res.hasHeader('set-cookie') ? page.privateVariant : page;

const isCurrentFor = (page: Page, req: IncomingMessage): boolean =>
  page.staleAt === undefined && page.status === 200 && isNotModified(req, page.etag);

/** True when the page can be sent to this client without a compression. */
export const isReady = (page: Page, req: IncomingMessage): boolean =>
  isCurrentFor(page, req) || page.body.has(bestEncoding(req.headers['accept-encoding']));

/** Writes a page to the socket: 304 when the browser has it, otherwise in the best accepted encoding. */
export async function sendPage(found: Page, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (!isReady(found, req)) await found.body.as(bestEncoding(req.headers['accept-encoding']));
  sendReadyPage(found, req, res);
}

/** Like `sendPage`, synchronously. @throws Error for a page that is not ready for this client */
export function sendReadyPage(found: Page, req: IncomingMessage, res: ServerResponse): void {
  const page = variantFor(found, res);
  if (isCurrentFor(page, req)) {
    res.writeHead(304, page.headers.notModified).end();
    return;
  }
  const encoding = bestEncoding(req.headers['accept-encoding']);
  const body = page.body.peek(encoding);
  if (!body) throw new Error(`the page is not there in ${encoding}`);
  const since = page.staleAt ?? page.readAt;
  const seconds = since === undefined ? 0 : Math.max(0, Math.round((Date.now() - since) / 1_000));
  const aged = page.staleAt !== undefined || seconds > 0;
  res.writeHead(page.status, [
    ...page.headers.full,
    ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
    'content-length',
    String(body.length),
    ...(aged ? ['age', String(seconds)] : []),
  ]);
  res.end(req.method === 'HEAD' ? undefined : body);
}

/** Turns a successfully rendered page into the page that is sent and cached. */
export type Publish = (
  page: Page,
  render: {
    tags: readonly LiveDomain[];
    /** Time when its data were read. Milliseconds. */
    at: number;
    /** True when nothing that it shows changed during the render. */
    current: boolean;
  },
) => Page;

interface Entry {
  page: Page;
  tags: readonly LiveDomain[];
  at: number;
}

interface PendingRender {
  tags: readonly LiveDomain[];
  /** False when something that it shows has changed since it began. */
  current: boolean;
  /** Time when it began. Milliseconds. */
  at: number;
  result: Promise<Page>;
}

/**
 * In-memory cache of documents that are the same for every visitor. A change invalidates the pages that show it at once; a
 * render that began before such a change is never stored; concurrent callers of one key share one render.
 */
export class PageCache {
  readonly #entries: BoundedPages<Entry>;
  readonly #pendingRenders = new Map<string, PendingRender>();
  readonly #ttlMs: number;
  /** The last good page of each key, independent of invalidations, and the stale copy derived from it. */
  readonly #copies: BoundedPages<{ page: Page; at: number; copy?: Promise<Page> }>;
  readonly #staleIfErrorMs: number;
  readonly #timeoutMs: number;
  readonly #publish: Publish;
  /** Time when a render last failed or timed out. */
  #lastFailureAt = Number.NEGATIVE_INFINITY;
  #hits = 0;
  #misses = 0;

  /**
   * @param options.maxEntries maximum number of pages, and of stale copies.
   * @param options.maxBytes maximum size of all plain documents, and of those of the stale copies.
   * @param options.ttlMs maximum age of a page in milliseconds, a safety net: changes drop pages long before.
   * @param options.staleIfErrorMs age in milliseconds up to which a copy may replace a page that cannot be rendered.
   * @param options.timeoutMs time limit of a render in milliseconds before a copy is sent; far above that of a healthy
   *   site.
   * @param options.publish adds the headers for shared caches; by default a page stays as it was rendered.
   */
  constructor({
    maxEntries = 1_000,
    maxBytes = MAX_BYTES,
    ttlMs = 60_000,
    staleIfErrorMs = 600_000,
    timeoutMs = 3_000,
    publish = (page) => page,
  }: {
    maxEntries?: number;
    maxBytes?: number;
    ttlMs?: number;
    staleIfErrorMs?: number;
    timeoutMs?: number;
    publish?: Publish;
  } = {}) {
    this.#publish = publish;
    this.#entries = new BoundedPages({ pages: maxEntries, bytes: maxBytes, ageMs: ttlMs });
    this.#copies = new BoundedPages({ pages: maxEntries, bytes: maxBytes, ageMs: staleIfErrorMs });
    this.#ttlMs = ttlMs;
    this.#staleIfErrorMs = staleIfErrorMs;
    this.#timeoutMs = timeoutMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Cache hits since the start. */
  get hits(): number {
    return this.#hits;
  }

  /** Requests that waited for a render since the start. */
  get misses(): number {
    return this.#misses;
  }

  peek(key: string): Page | undefined {
    const entry = this.#entries.get(key);
    if (entry && Date.now() - entry.at > this.#ttlMs) {
      this.#entries.delete(key);
      return undefined;
    }
    if (entry) this.#hits++;
    return entry?.page;
  }

  /** @param stored a response is cached only with this status. */
  fill(key: string, tags: readonly LiveDomain[], render: () => Promise<Page>, stored = 200): Promise<Page> {
    this.#misses++;
    const shared = this.#pendingRenders.get(key);
    if (shared) return shared.result;
    const pending = { tags, current: true, at: Date.now() } as PendingRender;
    // Before the render begins: a change counts from then on.
    this.#pendingRenders.set(key, pending);
    pending.result = this.#render(key, pending, render, stored);
    return pending.result;
  }

  async #render(key: string, pending: PendingRender, render: () => Promise<Page>, stored: number): Promise<Page> {
    try {
      const page = await render();
      if (page.status !== stored) return page;
      const { tags, at, current } = pending;
      this.#copies.set(key, { page, at });
      const published = this.#publish(page, { tags, at, current });
      if (current) this.#entries.set(key, { page: published, tags, at });
      return published;
    } finally {
      if (this.#pendingRenders.get(key) === pending) this.#pendingRenders.delete(key);
    }
  }

  /**
   * The page as `fill` renders it. If that is 503 or takes longer than the time limit, the last good copy, even an
   * outdated one, up to `staleIfErrorMs` after its data were read.
   *
   * @param toCopy creates the copy from the page, marked with the time of its data.
   * @throws the error of the render: only 503 counts as unavailability.
   */
  async fillOrCopy(
    key: string,
    tags: readonly LiveDomain[],
    render: () => Promise<Page>,
    toCopy: (page: Page, at: number) => Promise<Page>,
    stored = 200,
  ): Promise<Page> {
    const last = this.#copies.get(key);
    if (!last || Date.now() - last.at > this.#staleIfErrorMs) {
      this.#copies.delete(key);
      return this.fill(key, tags, render, stored);
    }
    const began = performance.now();
    const rendered = this.fill(key, tags, render, stored).then((page) => {
      const unavailable = page.status === 503;
      this.#lastFailureAt = unavailable ? performance.now() : Number.NEGATIVE_INFINITY;
      return unavailable ? null : page;
    });
    // If it fails after its copy was sent, there is no caller left to notify.
    rendered.catch(() => {});
    // A render failed or timed out just before, so this request does not wait.
    const timeoutMs = began - this.#lastFailureAt < FAILURE_MEMORY_MS ? 0 : this.#timeoutMs;
    const page = await withinTimeout(rendered, timeoutMs);
    if (page) return page;
    if (timeoutMs > 0) this.#lastFailureAt = performance.now();
    last.copy ??= toCopy(last.page, last.at);
    return last.copy;
  }

  /** Invalidates every page that shows this domain. */
  drop(domain: LiveDomain): void {
    this.#invalidate(({ tags }) => tags.includes(domain));
  }

  clear(): void {
    this.#invalidate(() => true);
  }

  #invalidate(isStale: (one: { tags: readonly LiveDomain[] }) => boolean): void {
    for (const [key, entry] of this.#entries) if (isStale(entry)) this.#entries.delete(key);
    for (const [key, pending] of this.#pendingRenders) {
      if (!isStale(pending)) continue;
      pending.current = false;
      this.#pendingRenders.delete(key);
    }
  }
}

/** Of the plain documents that one cache stores. */
const MAX_BYTES = 32 * 1024 * 1024;

/** For this long after a failed or late render, requests do not wait for another one. Milliseconds. */
const FAILURE_MEMORY_MS = 1_000;
