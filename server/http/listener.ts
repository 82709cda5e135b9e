import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import { domainOf } from '#contract/live.ts';
import { PAGE_VIEWS } from '#contract/page-views.ts';
import type { ReplicaState } from '#server/db/replica.ts';
import type { Settings } from '#server/domains/settings/settings.port.ts';
import { secondsToWait } from '#server/lib/rate-limits/rate-limit.ts';
import type { LiveHub } from '#server/live/hub.ts';
import type { LiveStreams } from '#server/live/streams.ts';
import type { RequestLog } from '#server/log.ts';
import type { Api } from './api/api.ts';
import { knownDatabaseFailure } from './api/database-failures.ts';
import { answerPublicRead, MAX_PUBLIC_READS, PUBLIC_READ_TTL_MS, publicRead } from './api/public-reads.ts';
import { clientAddress, proxyWarning, type TrustedProxies } from './client-address.ts';
import { respondBeforeBodyEnds } from './early-responses.ts';
import { createCspReports } from './endpoints/csp-reports.ts';
import { createFeeds } from './endpoints/feeds.ts';
import type { PlainForms } from './endpoints/plain-forms.ts';
import { canonicalPage, namesFile } from './pages/canonical.ts';
import { chosenLanguage, isNavigation, mayChooseLanguage } from './pages/chosen-language.ts';
import { isNotModified } from './pages/conditional.ts';
import { isReady, type Page, PageCache, sendPage, sendReadyPage } from './pages/page-cache.ts';
import {
  canonicalDocument,
  feedPage,
  type PageContext,
  refusedSearch,
  renderAdmin,
  renderPage,
  warm,
} from './pages/page-documents.ts';
import { withoutPageNumber } from './pages/pages.ts';
import { isAdminPath, type Renderer } from './pages/renderer.ts';
import { type CacheLifetime, MICRO_CACHED, publishing } from './pages/shared-cache.ts';
import type { StaticFiles } from './pages/static-files.ts';
import { type PlainAnswer, plainAnswer } from './plain-http.ts';
import { CSP_REPORTS, securityHeaders } from './security-headers.ts';
import type { CardStore } from './share/card-store.ts';
import { redirectToMark } from './share/mark-files.ts';
import { createShare, type Found } from './share/share.ts';
import { ShareUnavailable } from './share/shared-document.ts';
import type { ListedSlugs } from './share/site-lists.ts';
import { setTrustedHeaders } from './trusted-headers.ts';

interface Options extends Pick<PageContext['options'], 'origins' | 'stylesOf'> {
  api: Api;
  render: Renderer;
  statics: StaticFiles;
  settings: Settings;
  hub: LiveHub;
  streams: LiveStreams;
  /** Result of /readyz: the reasons why the process is not ready; empty when it is. */
  readiness: () => Promise<string[]>;
  /** State of the replica; null without one. */
  replicaState?: () => ReplicaState | null;
  /** The answers to forms that work without scripts. */
  forms: PlainForms;
  /** POST /uploads, and the resulting files. */
  uploads: Record<
    'receive' | 'serve' | 'serveTokenFile',
    (req: IncomingMessage, res: ServerResponse, rest: string) => Promise<void>
  >;
  /** Counts a page view. */
  pageViews: (req: IncomingMessage, res: ServerResponse, query: string, address: string) => void;
  /** Files of the public ledger, below /ledger/; false when the request is for a page. */
  ledger: (req: IncomingMessage, res: ServerResponse, path: string, address: string) => Promise<boolean>;
  /** Callbacks of the payment provider. */
  webhook: (req: IncomingMessage, res: ServerResponse, address: string) => Promise<void>;
  /** Pages of the emulator; null without it. */
  emulator: ((req: IncomingMessage, res: ServerResponse, pathname: string) => Promise<void>) | null;
  /** Bytes of an uploaded image by its path; null when there is none. */
  readImage: (address: string) => Promise<Uint8Array | null>;
  /** Metadata of a request's token, for wallets. */
  readMetadata: (requestId: string) => Promise<object | null>;
  /** Entries of the site map. */
  readListedSlugs: () => Promise<ListedSlugs>;
  /** Cache of drawn cards. */
  cards: CardStore;
  /** Consumes the rate limit for drawing a card. @throws RATE_LIMITED */
  consumeDrawingLimit: (address: string) => Promise<void>;
  /** Consumes the rate limit for a search. @throws RATE_LIMITED */
  consumeSearchLimit: (address: string) => Promise<void>;
  publicUrl: string;
  trustProxy: TrustedProxies;
  log: Logger;
  logRequest: RequestLog;
  /** False only in benchmarks and development. */
  cachePages: boolean;
  /** Current lifetime of a page in shared caches; one second by default. */
  sharedCacheLifetime?: () => CacheLifetime;
}

/** Dependencies of request handling; one instance per process. */
interface SiteContext extends PageContext {
  options: Options;
  log: Logger;
  statics: StaticFiles;
  /** Security headers of responses other than pages. */
  headers: [string, string][];
  api: ReturnType<typeof getRequestListener>;
  /** Cached responses to public reads of the API. */
  reads: PageCache;
  share: ReturnType<typeof createShare>;
  streams: LiveStreams;
  cspReports: ReturnType<typeof createCspReports>;
}

/**
 * Request handler of the whole site, in this order: cached pages and public reads, files, API, uploads and media, feeds,
 * public pages, share cards, the live stream, the rest. Each response is one JSON line in the log.
 */
export function createListener(options: Options): {
  listener: RequestListener;
  warm: () => Promise<void>;
  cache: PageCache;
} {
  const { hub, streams, statics, log } = options;
  const secure = options.publicUrl.startsWith('https:');
  const cache = new PageCache({ publish: publishing(hub, options.sharedCacheLifetime ?? (() => MICRO_CACHED)) });
  const reads = new PageCache({
    maxEntries: MAX_PUBLIC_READS,
    ttlMs: PUBLIC_READ_TTL_MS,
    publish: publishing(hub, () => MICRO_CACHED),
  });
  hub.onEvent((event) => {
    cache.drop(domainOf(event));
    reads.drop(domainOf(event));
  });
  const dropAll = () => {
    cache.clear();
    reads.clear();
  };
  hub.onResync(dropAll);
  // Pages depend on settings, so pages rendered before this process loaded them are dropped.
  options.settings.onChange(dropAll);

  const headers = Object.entries(securityHeaders(secure));
  const warnAboutProxy = proxyWarning(log, options.trustProxy);
  const api = getRequestListener(options.api.fetch, { overrideGlobalObjects: false });
  const render: Renderer = async (request, refused) => {
    const rendered = await options.render(request, refused);
    const { status, headers: renderedHeaders } = rendered.response;
    if (status === 503 && !renderedHeaders.has('retry-after')) renderedHeaders.set('retry-after', '5');
    return rendered;
  };
  const feeds = createFeeds((request) => options.api.fetch(request), options);
  const share = createShare({ ...options, api: (request) => options.api.fetch(request) });
  // Unique over processes and restarts, and far cheaper than a UUID per request.
  const series = randomUUID().slice(0, 13);
  let serial = 0;

  const listener: RequestListener = (req, res) => {
    const began = performance.now();
    const requestId = `${series}-${(++serial).toString(36)}`;
    const insecureAnswer = secure ? plainAnswer(req, options.trustProxy, site.origin) : null;
    if (insecureAnswer) {
      refuseInsecure(site, res, insecureAnswer);
      logRequest(site, req, res, requestId, began);
      return;
    }
    // Fast path of most requests.
    const ready = readyAnswer(site, req);
    if (ready) {
      sendReadyPage(ready, req, res);
      logRequest(site, req, res, requestId, began);
      return;
    }
    warnAboutProxy(req);
    respondBeforeBodyEnds(req, res);
    setTrustedHeaders(req, clientAddress(req, options.trustProxy), requestId);
    res.on('close', () => logRequest(site, req, res, requestId, began));
    answer(site, req, res).catch((error: unknown) => {
      const known = knownDatabaseFailure(error);
      log[known ? 'warn' : 'error']({ err: error, id: requestId }, 'request failed');
      if (res.headersSent) res.destroy();
      else if (known)
        reply(site, res, known.status, known.status === 503 ? 'Not available right now' : 'Bad request', {
          'x-request-id': requestId,
          ...(known.status === 503 ? { 'retry-after': '5' } : {}),
        });
      else reply(site, res, 500, 'Unexpected Application Error!', { 'x-request-id': requestId });
    });
  };

  const site: SiteContext = {
    render,
    origin: new URL(options.publicUrl).origin,
    secure,
    options,
    log,
    statics,
    headers,
    api,
    feeds,
    cache,
    reads,
    hub,
    share,
    streams,
    cspReports: createCspReports(log),
  };
  return {
    listener,
    cache,
    warm: () => warm(site, options.settings.site().languages),
  };
}

/** The cached response for exactly this target; the caches contain public responses only. */
function readyAnswer({ options, hub, cache, reads }: SiteContext, req: IncomingMessage): Page | undefined {
  if (!options.cachePages || !hub.ready || (req.method !== 'GET' && req.method !== 'HEAD')) return undefined;
  const target = req.url ?? '/';
  const isRead = target.startsWith('/api/');
  if (!isRead && mayChooseLanguage(req)) return undefined;
  const page = (isRead ? reads : cache).peek(target);
  return page && isReady(page, req) ? page : undefined;
}

async function answer(site: SiteContext, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { statics, headers, api, options, feeds, share, streams } = site;
  const target = req.url ?? '/';
  const mark = target.indexOf('?');
  const pathname = mark < 0 ? target : target.slice(0, mark);
  const reads = req.method === 'GET' || req.method === 'HEAD';
  // Absolute URIs and '*' are for proxies, which this is not.
  if (!target.startsWith('/')) return reply(site, res, 400, 'Bad request');

  if (reads && redirectToMark(res, pathname, options.settings.site().mark, headers)) return;
  if (reads && statics(req, res, pathname)) return;
  if (pathname.startsWith('/rpc/') || pathname.startsWith('/api/')) {
    const read =
      reads && options.cachePages && site.hub.ready ? publicRead(pathname, target.slice(pathname.length)) : null;
    if (read) return sendPage(await answerPublicRead(site, req, read), req, res);
    if (await (pathname.startsWith('/rpc/') ? options.api.rpc : options.api.rest)(req, res)) return;
    for (const [name, value] of headers) res.setHeader(name, value);
    return void (await api(req, res));
  }
  if (pathname === CSP_REPORTS) {
    for (const [name, value] of headers) res.setHeader(name, value);
    return site.cspReports(req, res, clientAddress(req, options.trustProxy));
  }
  if (pathname === PAGE_VIEWS) {
    for (const [name, value] of headers) res.setHeader(name, value);
    return options.pageViews(req, res, target.slice(pathname.length), clientAddress(req, options.trustProxy));
  }
  const form = req.method === 'POST' ? options.forms(pathname) : null;
  if (form || pathname === '/webhooks/nowpayments') for (const [name, value] of headers) res.setHeader(name, value);
  if (form) return form(req, res, { pathname, query: mark < 0 ? '' : target.slice(mark) });
  if (pathname === '/uploads') return options.uploads.receive(req, res, mark < 0 ? '' : target.slice(mark));
  if (pathname === '/webhooks/nowpayments') return options.webhook(req, res, clientAddress(req, options.trustProxy));
  if (options.emulator && pathname.startsWith('/sandbox/')) return options.emulator(req, res, pathname);
  if (!reads) return reply(site, res, 405, 'Method not allowed', { allow: 'GET, HEAD' });
  if (pathname.startsWith('/token-files/')) return options.uploads.serveTokenFile(req, res, pathname.slice(13));
  if (pathname.startsWith('/media/')) return options.uploads.serve(req, res, pathname.slice('/media/'.length));
  const ledgerFile = /^\/ledger\/./.test(pathname) ? target.slice('/ledger/'.length) : '';
  if (ledgerFile && (await options.ledger(req, res, ledgerFile, clientAddress(req, options.trustProxy)))) return;
  const feed = feeds.find(pathname);
  if (feed) return sendPage(await feedPage(site, pathname, feed), req, res);
  const query = mark < 0 ? '' : target.slice(mark);
  const canonical = canonicalPage(pathname.endsWith('.data') ? pathname.slice(0, -'.data'.length) : pathname);
  if (canonical && pathname.endsWith('.data')) {
    if (`${canonical.path}.data` !== pathname) return reply(site, res, 404, 'Not found');
    const wait = await refusedSearch(site, req, canonical.path, query);
    if (wait) return reply(site, res, 429, 'Too many requests', { 'retry-after': String(wait) });
  } else if (canonical) {
    if (canonical.path !== pathname && !canonical.notFound) return moved(site, res, canonical.path + query);
    const unnumbered = withoutPageNumber(canonical.path, query);
    // Not permanent: a list can become paginated.
    if (unnumbered !== null) return reply(site, res, 302, 'Found', { location: canonical.path + unnumbered });
    if (inChosenLanguage(site, req, res, target)) return;
    return sendPage(await canonicalDocument(site, req, canonical, query), req, res);
  }
  const shared = share.find(pathname, clientAddress(req, options.trustProxy), query);
  if (shared) return sendShared(site, req, res, shared);
  if (pathname === '/live') {
    for (const [name, value] of headers) res.setHeader(name, value);
    return streams.open(req, res, clientAddress(req, options.trustProxy));
  }
  return answerOther(site, req, res, pathname);
}

/** Paths that are neither a public page nor shared: health, readiness, the back office, and unknown ones. */
async function answerOther(
  site: SiteContext,
  req: IncomingMessage,
  res: ServerResponse,
  pathname: string,
): Promise<void> {
  const { options, render, origin } = site;
  const target = req.url ?? '/';
  if (pathname === '/healthz') return reply(site, res, 200, 'ok');
  if (pathname === '/readyz') {
    const missing = await options.readiness();
    // Without its replica a site is slower, but as ready as before.
    const state = options.replicaState?.() ?? 'in step';
    const replica = state === 'in step' ? '' : `; replica ${state}`;
    if (missing.length === 0) return reply(site, res, 200, `ready${replica}`);
    return reply(site, res, 503, `not ready: ${missing.join(', ')}${replica}`, { 'retry-after': '5' });
  }
  // A missing image must not cost a rendered page. A navigation gets one.
  if (namesFile(pathname) && !isNavigation(req)) return reply(site, res, 404, 'Not found');
  if (!pathname.endsWith('.data') && inChosenLanguage(site, req, res, target)) return;
  if (isAdminPath(pathname) && !pathname.endsWith('.data'))
    return sendPage(await renderAdmin(site, target, req), req, res);
  if (pathname.endsWith('.data'))
    return sendResponse(site, res, (await render(new Request(new URL(origin + target)))).response);
  return sendPage(await renderPage(site, target), req, res);
}

/** Embedded by other sites, so they can be loaded from anywhere, and have no effect there. */
async function sendShared(site: SiteContext, req: IncomingMessage, res: ServerResponse, target: Promise<Found>) {
  const { headers } = site;
  let found: Found;
  try {
    found = await target;
  } catch (error) {
    const wait = secondsToWait(error);
    if (wait) return reply(site, res, 429, 'Too many requests', { 'retry-after': String(wait) });
    if (!(error instanceof ShareUnavailable)) throw error;
    return reply(site, res, 503, 'Not available right now', { 'retry-after': '5' });
  }
  if (!found) return reply(site, res, 404, 'Not found');
  if ('moved' in found) return moved(site, res, found.moved);
  if ('unsupportedFormat' in found) return reply(site, res, 501, 'Only JSON');
  const { etag, type, body, maxAge, framed } = found;
  const answered = {
    ...Object.fromEntries(headers),
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; sandbox${framed ? ' allow-popups allow-popups-to-escape-sandbox' : ''}`,
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'cache-control': `public, max-age=${maxAge}`,
    etag,
  };
  if (isNotModified(req, etag)) {
    res.writeHead(304, answered).end();
    return;
  }
  res.writeHead(200, { ...answered, 'content-type': type, 'content-length': body.length });
  res.end(req.method === 'HEAD' ? undefined : body);
}

async function sendResponse(site: SiteContext, res: ServerResponse, response: Response): Promise<void> {
  const { headers } = site;
  // Without an explicit value, a shared cache would choose a lifetime.
  res.writeHead(response.status, Object.fromEntries([['cache-control', 'no-store'], ...headers, ...response.headers]));
  res.end(Buffer.from(await response.arrayBuffer()));
}

function reply(
  site: SiteContext,
  res: ServerResponse,
  status: number,
  text: string,
  more: Record<string, string> = {},
): void {
  const { headers } = site;
  res.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...Object.fromEntries(headers),
    ...more,
  });
  res.end(text);
}

/**
 * Redirects to the reader's chosen language. The redirect depends on the reader and is not cached; the pages are.
 *
 * @returns true when the request was handled.
 */
function inChosenLanguage(site: SiteContext, req: IncomingMessage, res: ServerResponse, target: string): boolean {
  const { options } = site;
  const offered = options.settings.site().languages;
  const choice = chosenLanguage(req, target, { publicUrl: options.publicUrl, offered });
  if (!choice) return false;
  if ('remember' in choice) {
    res.setHeader('set-cookie', choice.remember);
    return false;
  }
  const headers = { location: choice.redirect, 'cache-control': 'private, no-store', vary: 'Cookie' };
  reply(site, res, 302, 'Found', headers);
  return true;
}

/** @param location a path of the site with exactly one leading slash, or a page of the site over https. */
const moved = (site: SiteContext, res: ServerResponse, location: string) =>
  reply(site, res, 308, 'Moved', { location });

const refuseInsecure = (site: SiteContext, res: ServerResponse, how: PlainAnswer) =>
  'location' in how ? moved(site, res, how.location) : reply(site, res, 403, how.refusal);

const logRequest = (site: SiteContext, req: IncomingMessage, res: ServerResponse, id: string, began: number) => {
  const ms = Math.round((performance.now() - began) * 10) / 10;
  site.options.logRequest({ id, method: req.method, path: pathOf(req.url), status: res.statusCode, ms });
};

/** Query strings can contain private data and are never logged. */
const pathOf = (url = '/') => (url.includes('?') ? url.slice(0, url.indexOf('?')) : url);
