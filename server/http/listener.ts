import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { domainOf } from '#contract/live.ts';
import { markStale } from '#contract/stale-copy.ts';
import { secondsToWait } from '#server/lib/rate-limit.ts';
import type { LiveHub } from '#server/live/hub.ts';
import type { LiveStreams } from '#server/live/streams.ts';
import { canonicalPage } from './canonical.ts';
import { chosenLanguage, mayChooseLanguage } from './chosen-language.ts';
import { clientAddress, isBelieved, type TrustedProxies } from './client-address.ts';
import { knownDatabaseFailure } from './database-failures.ts';
import { answerWhoStillSends } from './early-answers.ts';
import { createFeeds, FEED_CACHE } from './feeds.ts';
import { finishPage, type Page, PageCache, sendPage } from './page-cache.ts';
import { cacheablePage, isSearch } from './pages.ts';
import { isBackOffice, type Renderer } from './renderer.ts';
import { securityHeaders } from './security-headers.ts';
import type { CardStore } from './share/card-store.ts';
import { createShare, type Found } from './share/share.ts';
import { ShareUnavailable } from './share/shared.ts';
import type { StaticFiles } from './static-files.ts';

interface Options {
  api: Hono;
  render: Renderer;
  statics: StaticFiles;
  hub: LiveHub;
  streams: LiveStreams;
  /** Answers /readyz: an empty list is ready, else what is missing. */
  readiness: () => Promise<string[]>;
  /** Stops mails by the link in them. */
  unsubscribe: (req: IncomingMessage, res: ServerResponse, query: string) => Promise<void>;
  /** POST /uploads, and the files that came of it. */
  uploads: {
    receive: (req: IncomingMessage, res: ServerResponse, query: string) => Promise<void>;
    serve: (req: IncomingMessage, res: ServerResponse, file: string) => Promise<void>;
  };
  /** Callbacks of the payment provider. */
  webhook: (req: IncomingMessage, res: ServerResponse, address: string) => Promise<void>;
  /** Pages of the payment simulation, where there is one. */
  sandbox: ((req: IncomingMessage, res: ServerResponse, pathname: string) => Promise<void>) | null;
  /** Bytes of an uploaded image by its address; null when there is none. */
  readImage: (address: string) => Promise<Uint8Array | null>;
  /** What wallets read about the token of a request. */
  readMetadata: (requestId: string) => Promise<object | null>;
  /** Where drawn cards are kept. */
  cards: CardStore;
  /** Counts the drawing of a card for an address. @throws RATE_LIMITED */
  takeDrawing: (address: string) => Promise<void>;
  /** Counts a search for an address. @throws RATE_LIMITED */
  takeSearch: (address: string) => Promise<void>;
  publicUrl: string;
  trustProxy: TrustedProxies;
  log: Logger;
  /** Off only in benchmarks and development. */
  cachePages: boolean;
}

/** Cached pages are asked for again each time and answered with 304 while nothing changed. */
const REVALIDATE = 'private, no-cache';

/**
 * The whole site on one socket, cheapest first: files, cached pages, live streams, API, other pages.
 * Every answer is one JSON line in the log.
 */
export function createListener(options: Options): {
  listener: RequestListener;
  warm: () => Promise<void>;
  cache: PageCache;
} {
  const { hub, streams, statics, log } = options;
  const secure = options.publicUrl.startsWith('https:');
  const cache = new PageCache();
  hub.onEvent((event) => cache.drop(domainOf(event)));
  hub.onResync(() => cache.clear());

  const { origin } = new URL(options.publicUrl);
  const headers = Object.entries(securityHeaders(secure));
  const api = getRequestListener(options.api.fetch, { overrideGlobalObjects: false });
  const render: Renderer = async (request, refused) => {
    const response = await options.render(request, refused);
    if (response.status === 503 && !response.headers.has('retry-after')) response.headers.set('retry-after', '5');
    return response;
  };
  const renderPage = async (target: string, refused?: number): Promise<Page> => {
    const response = await render(new Request(new URL(origin + target)), refused);
    return finishPage(response, secure, refused ? 'no-store' : REVALIDATE);
  };
  let told = false;
  /** Says once that a proxy in front is not believed, which makes all visitors count as one. */
  const tellOfProxy = (req: IncomingMessage) => {
    const { hops, listed } = options.trustProxy;
    if (told || (hops === 0 && !listed) || !req.headers['x-forwarded-for']) return;
    if (isBelieved(req.socket.remoteAddress ?? '', options.trustProxy)) return;
    told = true;
    log.warn('X-Forwarded-For from an address that TRUST_PROXY does not name is not believed');
  };
  /** A page of before, to be sent while none can be made. */
  const copyOf = (page: Page, at: number): Promise<Page> => {
    const html = markStale(page.body.identity.toString('utf8'), at);
    const response = new Response(html, { status: page.status, headers: { 'content-type': 'text/html' } });
    return finishPage(response, secure, 'no-store', at);
  };
  /** Seconds that a search has to wait; undefined for one that may go on, and for what is none. */
  const refusedSearch = async (req: IncomingMessage, pathname: string, query: string): Promise<number | undefined> => {
    if (!isSearch(pathname, query)) return undefined;
    try {
      await options.takeSearch(clientAddress(req, options.trustProxy));
      return undefined;
    } catch (error) {
      const wait = secondsToWait(error);
      if (!wait) throw error;
      return wait;
    }
  };
  /** A document of the back office, for this very request. */
  const renderBackOffice = async (target: string, req: IncomingMessage): Promise<Page> => {
    const passed = new Headers();
    for (const name of ['cookie', 'x-client-address', 'x-request-id']) {
      const value = req.headers[name];
      if (typeof value === 'string') passed.set(name, value);
    }
    const response = await render(new Request(new URL(origin + target), { headers: passed }));
    return finishPage(response, secure, 'private, no-store');
  };
  const feeds = createFeeds((request) => options.api.fetch(request), options.publicUrl);
  const share = createShare({
    api: (request) => options.api.fetch(request),
    publicUrl: options.publicUrl,
    readImage: options.readImage,
    readMetadata: options.readMetadata,
    cards: options.cards,
    takeDrawing: options.takeDrawing,
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const target = req.url ?? '/';
    const mark = target.indexOf('?');
    const pathname = mark < 0 ? target : target.slice(0, mark);
    const reads = req.method === 'GET' || req.method === 'HEAD';
    // Whole addresses and '*' are for proxies, which this is not.
    if (!target.startsWith('/')) return plain(res, 400, 'Bad request');

    if (reads && statics(req, res, pathname)) return;
    if (pathname.startsWith('/rpc/') || pathname.startsWith('/api/')) {
      for (const [name, value] of headers) res.setHeader(name, value);
      return void (await api(req, res));
    }
    const unsubscribes = req.method === 'POST' && pathname === '/unsubscribe';
    if (unsubscribes || pathname === '/webhooks/nowpayments')
      for (const [name, value] of headers) res.setHeader(name, value);
    if (unsubscribes) return options.unsubscribe(req, res, mark < 0 ? '' : target.slice(mark));
    if (pathname === '/uploads') return options.uploads.receive(req, res, mark < 0 ? '' : target.slice(mark));
    if (pathname === '/webhooks/nowpayments') return options.webhook(req, res, clientAddress(req, options.trustProxy));
    if (options.sandbox && pathname.startsWith('/sandbox/')) return options.sandbox(req, res, pathname);
    if (!reads) return plain(res, 405, 'Method not allowed', { allow: 'GET, HEAD' });
    if (pathname.startsWith('/media/')) return options.uploads.serve(req, res, pathname.slice('/media/'.length));
    const feed = feeds.find(pathname);
    if (feed) {
      const write = async () => {
        const response = await feeds.answer(feed);
        return finishPage(response, secure, response.ok ? FEED_CACHE : 'no-store');
      };
      return sendPage(cache.peek(pathname) ?? (await cache.fill(pathname, feed.tags, write)), req, res);
    }
    const query = mark < 0 ? '' : target.slice(mark);
    const canonical = canonicalPage(pathname.endsWith('.data') ? pathname.slice(0, -'.data'.length) : pathname);
    if (canonical && pathname.endsWith('.data')) {
      if (`${canonical.path}.data` !== pathname) return plain(res, 404, 'Not found');
      const wait = await refusedSearch(req, canonical.path, query);
      if (wait) return plain(res, 429, 'Too many requests', { 'retry-after': String(wait) });
    } else if (canonical) {
      if (canonical.path !== pathname && !canonical.nothing) return moved(res, canonical.path + query);
      if (inChosenLanguage(req, res, target)) return;
      const page = options.cachePages ? cacheablePage(canonical.path, query) : null;
      if (page) {
        const hit = hub.ready ? cache.peek(page.key) : undefined;
        if (hit) return sendPage(hit, req, res);
        const render = () => renderPage(page.key);
        const kept = canonical.nothing ? 404 : 200;
        return sendPage(await cache.fillOrCopy(page.key, page.tags, render, copyOf, kept), req, res);
      }
      const wait = await refusedSearch(req, canonical.path, query);
      return sendPage(await renderPage(canonical.path + query, wait), req, res);
    }
    const shared = share.find(pathname, clientAddress(req, options.trustProxy));
    if (shared) return sendShared(req, res, shared);
    if (pathname === '/live') {
      for (const [name, value] of headers) res.setHeader(name, value);
      return streams.open(req, res, clientAddress(req, options.trustProxy));
    }
    if (pathname === '/healthz') return plain(res, 200, 'ok');
    if (pathname === '/readyz') {
      const missing = await options.readiness();
      return plain(
        res,
        missing.length === 0 ? 200 : 503,
        missing.length === 0 ? 'ready' : `not ready: ${missing.join(', ')}`,
      );
    }
    // A lost picture must not cost a rendered page.
    if (/\.[a-z0-9]{2,5}$/i.test(pathname) && !pathname.endsWith('.data')) return plain(res, 404, 'Not found');
    if (!pathname.endsWith('.data') && inChosenLanguage(req, res, target)) return;
    if (isBackOffice(pathname) && !pathname.endsWith('.data'))
      return sendPage(await renderBackOffice(target, req), req, res);
    if (pathname.endsWith('.data')) return sendResponse(res, await render(new Request(new URL(origin + target))));
    sendPage(await renderPage(target), req, res);
  }

  /** Others show these, so they may be loaded from anywhere, and do nothing there. */
  async function sendShared(req: IncomingMessage, res: ServerResponse, asked: Promise<Found>) {
    let found: Found;
    try {
      found = await asked;
    } catch (error) {
      const wait = secondsToWait(error);
      if (wait) return plain(res, 429, 'Too many requests', { 'retry-after': String(wait) });
      if (!(error instanceof ShareUnavailable)) throw error;
      return plain(res, 503, 'Not available right now', { 'retry-after': '5' });
    }
    if (!found) return plain(res, 404, 'Not found');
    if ('moved' in found) return moved(res, found.moved);
    const { etag, type, body, maxAge } = found;
    const answered = {
      ...Object.fromEntries(headers),
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'cache-control': `public, max-age=${maxAge}`,
      etag,
    };
    if (req.headers['if-none-match'] === etag) {
      res.writeHead(304, answered).end();
      return;
    }
    res.writeHead(200, { ...answered, 'content-type': type, 'content-length': body.length });
    res.end(req.method === 'HEAD' ? undefined : body);
  }

  async function sendResponse(res: ServerResponse, response: Response): Promise<void> {
    res.writeHead(response.status, Object.fromEntries([...headers, ...response.headers]));
    res.end(Buffer.from(await response.arrayBuffer()));
  }

  function plain(res: ServerResponse, status: number, text: string, more: Record<string, string> = {}): void {
    res.writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      ...Object.fromEntries(headers),
      ...more,
    });
    res.end(text);
  }

  /**
   * Follows the reader's choice of language. The answer depends on who asks and is kept by nobody; the pages do not.
   *
   * @returns whether the request is answered.
   */
  function inChosenLanguage(req: IncomingMessage, res: ServerResponse, target: string): boolean {
    const choice = chosenLanguage(req, target, options.publicUrl);
    if (!choice) return false;
    if ('remember' in choice) {
      res.setHeader('set-cookie', choice.remember);
      return false;
    }
    plain(res, 302, 'Found', { location: choice.redirect, 'cache-control': 'private, no-store', vary: 'Cookie' });
    return true;
  }

  /** @param location a path of ours, beginning with exactly one slash. */
  const moved = (res: ServerResponse, location: string) => plain(res, 308, 'Moved', { location });

  const note = (req: IncomingMessage, res: ServerResponse, id: string, began: number) =>
    log.info({
      id,
      m: req.method,
      p: pathOf(req.url),
      s: res.statusCode,
      ms: Math.round((performance.now() - began) * 10) / 10,
    });
  // Unique over processes and restarts, and far cheaper than a UUID for each request.
  const series = randomUUID().slice(0, 13);
  let serial = 0;

  const listener: RequestListener = (req, res) => {
    const began = performance.now();
    const requestId = `${series}-${(++serial).toString(36)}`;
    // The shortest way for what most requests are: only pages that anybody may have are ever in the cache.
    const ready =
      options.cachePages && hub.ready && (req.method === 'GET' || req.method === 'HEAD') && !mayChooseLanguage(req)
        ? cache.peek(req.url ?? '/')
        : undefined;
    if (ready) {
      sendPage(ready, req, res);
      note(req, res, requestId, began);
      return;
    }
    tellOfProxy(req);
    answerWhoStillSends(req, res);
    stamp(req, clientAddress(req, options.trustProxy), requestId);
    res.on('close', () => note(req, res, requestId, began));
    answer(req, res).catch((error: unknown) => {
      const known = knownDatabaseFailure(error);
      log[known ? 'warn' : 'error']({ err: error, id: requestId }, 'request failed');
      if (res.headersSent) res.destroy();
      else if (known)
        plain(res, known.status, known.status === 503 ? 'Not available right now' : 'Bad request', {
          'x-request-id': requestId,
          ...(known.status === 503 ? { 'retry-after': '5' } : {}),
        });
      else plain(res, 500, 'Unexpected Application Error!', { 'x-request-id': requestId });
    });
  };

  return {
    listener,
    cache,
    warm: async () => {
      for (const key of ['/', '/vote']) {
        const page = cacheablePage(key, '');
        if (page) await cache.fill(page.key, page.tags, () => renderPage(page.key));
      }
    },
  };
}

/** Query strings may hold private things: they never reach the log. */
const pathOf = (url = '/') => {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
};

/** Tells the API who really asks; the adapter builds its headers from rawHeaders, so a forged value must leave there. */
function stamp(req: IncomingMessage, address: string, requestId: string): void {
  const raw = req.rawHeaders;
  for (let i = raw.length - 2; i >= 0; i -= 2) {
    const name = raw[i]?.toLowerCase();
    if (name === 'x-client-address' || name === 'x-request-id') raw.splice(i, 2);
  }
  raw.push('x-client-address', address, 'x-request-id', requestId);
  // Whichever of the two the adapter looks at, it must find ours.
  req.headers['x-client-address'] = address;
  req.headers['x-request-id'] = requestId;
}
