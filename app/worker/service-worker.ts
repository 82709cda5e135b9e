import {
  CacheFirst,
  CacheOnly,
  ExpirationPlugin,
  NetworkFirst,
  NetworkOnly,
  type RouteHandlerCallbackOptions,
  Serwist,
  type SerwistPlugin,
  type Strategy,
} from 'serwist';
import { markStale } from '#contract/stale-copy.ts';
import { assetsOf, cacheKeyOf, markOf } from './cached-pages.ts';
import { type CachedPage, offlinePage } from './offline-page.ts';
import { openPushed, type PushScope, showPushed } from './push.ts';

/** The build of this worker; vite.worker.config.ts fills it in. */
declare const RELEASE: string;

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
declare const self: PushScope & {
  addEventListener(type: 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'push', listener: (event: WorkerEvent & { data: { json(): unknown } | null }) => void): void;
  addEventListener(
    type: 'notificationclick',
    listener: (event: WorkerEvent & { notification: Notification }) => void,
  ): void;
  addEventListener(type: 'message', listener: (event: WorkerEvent & { data: unknown }) => void): void;
};

// With the release in the cache name: one release never uses a cache of another.
const PAGES = `florka-pages-${RELEASE}`;
const ASSETS = `florka-assets-${RELEASE}`;
/** Header with the time at which a document was read. */
const CACHED_AT = 'x-florka-cached-at';
const MAX_PAGES = 30;
/** Maximum age of copies. Seconds. */
const PAGES_SECONDS = 7 * 24 * 3_600;
/** A page visited again within this time is not cached again. Milliseconds. */
const SEEN_INTERVAL_MS = 60_000;

const offline: SerwistPlugin = {
  handlerDidError: async ({ request }) => {
    const { name, mark } = await siteOf();
    const locale = /^\/en(\/|$)/.test(new URL(request.url).pathname) ? 'en' : 'es';
    return offlinePage(locale, await cachedPages(), name, mark);
  },
};

/** Caches documents with their time and the files they need, and marks them as stale copies when they are shown. */
const pageCopies: SerwistPlugin = {
  cacheKeyWillBeUsed: async ({ request }) => cacheKeyOf(new URL(request.url)) ?? request,
  cacheWillUpdate: async ({ response }) => {
    // Neither failures nor stale copies of the server itself.
    if (response.status !== 200 || response.redirected || response.headers.has('warning')) return null;
    if (!response.headers.get('content-type')?.startsWith('text/html')) return null;
    const headers = new Headers(response.headers);
    headers.set(CACHED_AT, String(Date.now()));
    return new Response(await response.blob(), { status: 200, headers });
  },
  cacheDidUpdate: async ({ newResponse, event }) => {
    const files = assetsOf(await newResponse.clone().text());
    // A file that can't be loaded now is missing later; the page is readable without it.
    await Promise.allSettled(files.flatMap((file) => assets.handleAll({ event, request: new Request(file) })));
  },
  cachedResponseWillBeUsed: async ({ cachedResponse }) => {
    if (!cachedResponse) return null;
    const headers = new Headers(cachedResponse.headers);
    headers.set('cache-control', 'no-store');
    const html = markStale(await cachedResponse.text(), Number(headers.get(CACHED_AT)));
    return new Response(html, { status: 200, headers });
  },
};

const assets = new CacheFirst({ cacheName: ASSETS, plugins: [new ExpirationPlugin({ maxEntries: 250 })] });
const stored = {
  cacheName: PAGES,
  plugins: [offline, new ExpirationPlugin({ maxEntries: MAX_PAGES, maxAgeSeconds: PAGES_SECONDS }), pageCopies],
};
const pages = new NetworkFirst(stored);
const copies = new CacheOnly(stored);
const otherPages = new NetworkOnly({ plugins: [offline] });

/** Status codes of a proxy whose server is unreachable. */
const GATEWAY = [502, 504];
const unlessGone = (strategy: Strategy) => async (options: RouteHandlerCallbackOptions) => {
  const response = await strategy.handle(options);
  return GATEWAY.includes(response.status) ? copies.handle(options) : response;
};

const worker = new Serwist({
  // A new release takes over at once: pages come from the network first, so none depends on the old worker.
  skipWaiting: true,
  clientsClaim: true,
  navigationPreload: true,
  disableDevLogs: true,
  runtimeCaching: [
    { matcher: ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'), handler: assets },
    {
      matcher: ({ request, url, sameOrigin }) => sameOrigin && request.mode === 'navigate' && cacheKeyOf(url) !== null,
      handler: unlessGone(pages),
    },
    {
      matcher: ({ request, sameOrigin }) => sameOrigin && request.mode === 'navigate',
      handler: unlessGone(otherPages),
    },
  ],
});
worker.addEventListeners();

self.addEventListener('activate', (event) => event.waitUntil(removeOldReleases()));

self.addEventListener('push', (event) => event.waitUntil(showPushed(self, event.data?.json())));
self.addEventListener('notificationclick', (event) => event.waitUntil(openPushed(self, event.notification)));

// A page opened within the app, for which no document was requested.
self.addEventListener('message', (event) => {
  const { seen } = (event.data ?? {}) as { seen?: unknown };
  if (typeof seen !== 'string') return;
  event.waitUntil(cacheSeen(new URL(seen), event));
});

async function cacheSeen(url: URL, event: WorkerEvent): Promise<void> {
  const path = url.origin === location.origin ? cacheKeyOf(url) : null;
  if (path === null) return;
  const last = await (await caches.open(PAGES)).match(path);
  if (last && Date.now() - Number(last.headers.get(CACHED_AT)) < SEEN_INTERVAL_MS) return;
  // Without cookies: the cache holds documents as any visitor gets them.
  const request = new Request(path, { credentials: 'omit', headers: { accept: 'text/html' } });
  await Promise.allSettled(pages.handleAll({ request, event }));
}

async function removeOldReleases(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith('florka-') && name !== PAGES && name !== ASSETS);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** Newest first. */
async function cachedPages(): Promise<CachedPage[]> {
  const cache = await caches.open(PAGES);
  const found = await Promise.all(
    (await cache.keys()).map(async (request): Promise<CachedPage | null> => {
      const response = await cache.match(request);
      const { pathname, search } = new URL(request.url);
      const title = /<title>([^<]*)<\/title>/.exec((await response?.text()) ?? '')?.[1] ?? pathname;
      const at = Number(response?.headers.get(CACHED_AT));
      return at > Date.now() - PAGES_SECONDS * 1_000 ? { path: pathname + search, title: decoded(title), at } : null;
    }),
  );
  return found.filter((page) => page !== null).sort((a, b) => b.at - a.at);
}

/** Name and mark of the site from the newest cached page. */
async function siteOf(): Promise<{ name?: string; mark?: string | null }> {
  const cache = await caches.open(PAGES);
  const found = await Promise.all(
    (await cache.keys()).map(async (request) => {
      const response = await cache.match(request);
      const html = (await response?.text()) ?? '';
      const name = /<meta property="og:site_name" content="([^"]*)"/.exec(html)?.[1];
      return { name, html, at: Number(response?.headers.get(CACHED_AT)) };
    }),
  );
  const [newest] = found.filter(({ name }) => name).sort((a, b) => b.at - a.at);
  if (!newest?.name) return {};
  const own = /<link rel="icon" href="[^"]*\/media\//.test(newest.html);
  return { name: decoded(newest.name), ...(own ? { mark: await dataUrl(markOf(newest.html)) } : {}) };
}

/** A cached image as a data URL; null where it is not cached. */
async function dataUrl(file: string | null): Promise<string | null> {
  const response = file === null ? undefined : await (await caches.open(ASSETS)).match(file);
  if (!response) return null;
  const bytes = new Uint8Array(await response.arrayBuffer());
  return `data:image/webp;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

/** A worker has no DOM to parse HTML. */
const decoded = (title: string) =>
  title
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
