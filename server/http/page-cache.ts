import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { LiveDomain } from '#contract/live.ts';
import { bestEncoding } from './accept-encoding.ts';
import { securityHeaders } from './security-headers.ts';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
/** Below Node's limits for one body, far above any page of ours. */
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } };

/** A finished document, compressed once, with flat header lists ready for the socket. */
export interface Page {
  status: number;
  etag: string;
  body: { br: Buffer; gzip: Buffer; identity: Buffer };
  headers: { br: string[]; gzip: string[]; identity: string[]; notModified: string[] };
}

/**
 * Turns a rendered document into a Page. The content security policy names the hashes of the document's own inline
 * scripts: a nonce would be the same for everybody in a cached page and therefore none.
 */
export async function finishPage(response: Response, secure: boolean, cacheControl: string): Promise<Page> {
  const identity = Buffer.from(await response.arrayBuffer());
  const html = identity.toString('utf8');
  const hashes = new Set(
    [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
      ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
    ),
  );
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 20)}"`;
  const [br, gz] = await Promise.all([brotli(identity, BROTLI), gzip(identity)]);
  const shared = {
    ...securityHeaders(secure, [...hashes].join(' ')),
    'cache-control': cacheControl,
    vary: 'Accept-Encoding',
    etag,
  };
  const list = (encoding: string, body: Buffer) =>
    Object.entries({
      ...shared,
      'content-type': withCharset(response.headers.get('content-type') ?? 'text/html'),
      ...passedOn(response.headers),
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      'content-length': String(body.length),
    }).flat();
  return {
    status: response.status,
    etag,
    body: { br, gzip: gz, identity },
    headers: {
      br: list('br', br),
      gzip: list('gzip', gz),
      identity: list('identity', identity),
      notModified: Object.entries(shared).flat(),
    },
  };
}

/** A document is UTF-8, and says so before its first byte is read. */
const withCharset = (type: string) => (/^text\/html\s*$/i.test(type) ? 'text/html; charset=utf-8' : type);

/** What a route says about its answer besides the document. */
function passedOn(headers: Headers): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of ['location', 'retry-after']) {
    const value = headers.get(name);
    if (value !== null) passed[name] = value;
  }
  return passed;
}

/** Writes a page to the socket: 304 when the browser has it, else in the best encoding it takes. */
export function sendPage(page: Page, req: IncomingMessage, res: ServerResponse): void {
  if (page.status === 200 && req.headers['if-none-match'] === page.etag) {
    res.writeHead(304, page.headers.notModified).end();
    return;
  }
  const encoding = bestEncoding(req.headers['accept-encoding']);
  res.writeHead(page.status, page.headers[encoding]);
  res.end(req.method === 'HEAD' ? undefined : page.body[encoding]);
}

interface Entry {
  page: Page;
  tags: readonly LiveDomain[];
  at: number;
}

/**
 * Documents that are the same for every visitor, in memory. A change drops the pages that show it at once; a render that
 * began before a change is never stored; callers of one key share one render.
 */
export class PageCache {
  readonly #entries = new Map<string, Entry>();
  readonly #flights = new Map<string, Promise<Page>>();
  readonly #most: number;
  readonly #keepFor: number;
  #generation = 0;
  #hits = 0;
  #misses = 0;

  /** @param keepFor milliseconds, a safety net: changes drop pages long before. */
  constructor({ most = 1_000, keepFor = 60_000 } = {}) {
    this.#most = most;
    this.#keepFor = keepFor;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Documents answered from memory since the start. */
  get hits(): number {
    return this.#hits;
  }

  /** Requests that had to wait for a render since the start. */
  get misses(): number {
    return this.#misses;
  }

  peek(key: string): Page | undefined {
    const entry = this.#entries.get(key);
    if (entry && Date.now() - entry.at > this.#keepFor) {
      this.#entries.delete(key);
      return undefined;
    }
    if (entry) this.#hits++;
    return entry?.page;
  }

  /** @param kept the status with which the page is kept. */
  fill(key: string, tags: readonly LiveDomain[], render: () => Promise<Page>, kept = 200): Promise<Page> {
    this.#misses++;
    const flying = this.#flights.get(key);
    if (flying) return flying;
    const generation = this.#generation;
    const flight = render()
      .then((page) => {
        if (page.status === kept && generation === this.#generation) this.#store(key, { page, tags, at: Date.now() });
        return page;
      })
      .finally(() => {
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
      });
    this.#flights.set(key, flight);
    return flight;
  }

  /** Forgets every page that shows this domain. */
  drop(domain: LiveDomain): void {
    this.#generation++;
    this.#flights.clear();
    for (const [key, entry] of this.#entries) if (entry.tags.includes(domain)) this.#entries.delete(key);
  }

  clear(): void {
    this.#generation++;
    this.#flights.clear();
    this.#entries.clear();
  }

  #store(key: string, entry: Entry): void {
    const oldest = this.#entries.keys().next();
    if (this.#entries.size >= this.#most && !oldest.done) this.#entries.delete(oldest.value);
    this.#entries.set(key, entry);
  }
}
