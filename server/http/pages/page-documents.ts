// Produces the pages of the site: from the cache, or rendered for one request.
import type { IncomingMessage } from 'node:http';
import type { Language } from '#contract/site.ts';
import { markStale } from '#contract/stale-copy.ts';
import { clientAddress, type TrustedProxies } from '#server/http/client-address.ts';
import { type createFeeds, FEED_CACHE, type Feed } from '#server/http/endpoints/feeds.ts';
import type { DocumentOrigins } from '#server/http/security-headers.ts';
import { secondsToWait } from '#server/lib/rate-limits/rate-limit.ts';
import type { LiveHub } from '#server/live/hub.ts';
import type { canonicalPage } from './canonical.ts';
import { finishPage, type Page, type PageCache } from './page-cache.ts';
import { cacheablePage, isSearch } from './pages.ts';
import type { Rendered, Renderer } from './renderer.ts';

/** Browsers revalidate cached pages each time; the response is 304 while nothing changed. */
const REVALIDATE = 'private, no-cache';

/** Dependencies of rendering a page. */
export interface PageContext {
  render: Renderer;
  /** Origin of the public URL, to which targets are relative. */
  origin: string;
  /** True if the public URL is https. */
  secure: boolean;
  options: {
    /** Consumes the rate limit for a search. @throws RATE_LIMITED */
    consumeSearchLimit: (address: string) => Promise<void>;
    trustProxy: TrustedProxies;
    /** Origins that documents need besides this site. */
    origins?: DocumentOrigins | undefined;
    /** Returns the critical styles of a document. */
    stylesOf?: ((html: string) => string) | undefined;
    cachePages: boolean;
  };
  feeds: ReturnType<typeof createFeeds>;
  cache: PageCache;
  hub: LiveHub;
}

const aboutRendered = ({ options: { origins, stylesOf } }: PageContext, { nonce, html }: Rendered) => ({
  nonce,
  html,
  origins,
  stylesOf,
});

/**
 * Renders a page of the web app.
 *
 * @param target path with query string.
 * @param refused seconds until the search of this page may be repeated; the page then shows that, and is not cached.
 */
export const renderPage = async (context: PageContext, target: string, refused?: number): Promise<Page> => {
  const { render, origin, secure } = context;
  const rendered = await render(new Request(new URL(origin + target)), refused);
  return finishPage(rendered.response, secure, refused ? 'no-store' : REVALIDATE, aboutRendered(context, rendered));
};

/** The last good page, marked as stale, for the time in which none can be rendered. */
const staleCopyOf = (context: PageContext, page: Page, at: number): Promise<Page> => {
  const { secure } = context;
  const html = markStale(page.body.identity.toString('utf8'), at);
  const response = new Response(html, { status: page.status, headers: { 'content-type': 'text/html' } });
  return finishPage(response, secure, 'no-store', {
    staleAt: at,
    scripts: page.scripts,
    origins: context.options.origins,
  });
};

/** Seconds until a refused search may be repeated; undefined for a permitted search and for other pages. */
export const refusedSearch = async (
  context: PageContext,
  req: IncomingMessage,
  pathname: string,
  query: string,
): Promise<number | undefined> => {
  const { options } = context;
  if (!isSearch(pathname, query)) return undefined;
  try {
    await options.consumeSearchLimit(clientAddress(req, options.trustProxy));
    return undefined;
  } catch (error) {
    const wait = secondsToWait(error);
    if (!wait) throw error;
    return wait;
  }
};

/** A document of the back office, rendered for this request. */
export const renderAdmin = async (context: PageContext, target: string, req: IncomingMessage): Promise<Page> => {
  const { render, origin, secure } = context;
  const passed = new Headers();
  for (const name of ['cookie', 'x-client-address', 'x-request-id']) {
    const value = req.headers[name];
    if (typeof value === 'string') passed.set(name, value);
  }
  const rendered = await render(new Request(new URL(origin + target), { headers: passed }));
  return finishPage(rendered.response, secure, 'private, no-store', aboutRendered(context, rendered));
};

/** A feed as a page, cached. */
export async function feedPage({ feeds, secure, cache }: PageContext, pathname: string, feed: Feed): Promise<Page> {
  const write = async () => {
    const response = await feeds.answer(feed);
    return finishPage(response, secure, response.ok ? FEED_CACHE : 'no-store');
  };
  return cache.peek(pathname) ?? (await cache.fill(pathname, feed.tags, write));
}

/** The document of a public path: from the cache, or rendered for this request if it may not be cached. */
export async function canonicalDocument(
  context: PageContext,
  req: IncomingMessage,
  canonical: NonNullable<ReturnType<typeof canonicalPage>>,
  query: string,
): Promise<Page> {
  const { options, cache, hub } = context;
  const page = options.cachePages ? cacheablePage(canonical.path, query) : null;
  if (!page) {
    const wait = await refusedSearch(context, req, canonical.path, query);
    return renderPage(context, canonical.path + query, wait);
  }
  const hit = hub.ready ? cache.peek(page.key) : undefined;
  if (hit) return hit;
  const render = () => renderPage(context, page.key);
  const copy = (stored: Page, at: number) => staleCopyOf(context, stored, at);
  return cache.fillOrCopy(page.key, page.tags, render, copy, canonical.notFound ? 404 : 200);
}

/** Renders the most visited pages before the first request. */
export async function warm(context: PageContext, languages: readonly Language[]): Promise<void> {
  for (const key of languages.includes('es') ? ['/', '/vote'] : ['/en', '/en/vote']) {
    const page = cacheablePage(key, '');
    if (page) await context.cache.fill(page.key, page.tags, () => renderPage(context, page.key));
  }
}
