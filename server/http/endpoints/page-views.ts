import type { IncomingMessage, ServerResponse } from 'node:http';
import { PAGE_KINDS } from '#contract/page-views.ts';
import type { PageViews } from '#server/domains/admin/reports/page-views.port.ts';
import { createForeignCheck } from '#server/http/same-origin.ts';
import { addressKey } from '#server/lib/network/address.ts';

/** Counters per address are reset after this time. Milliseconds. */
const WINDOW_MS = 60_000;
/** Maximum of counted views per address in that time; many people can share one. */
const MAX_VIEWS = 120;
const MAX_SOURCES = 20_000;
/** User agents of programs that fetch pages; browsers send none of these words. */
const PROGRAM =
  /bot\b|bot[/;_-]|crawl|spider|slurp|headless|preview|facebookexternalhit|lighthouse|pingdom|uptime|monitor|curl|wget|python|java\/|okhttp|axios|node-fetch|go-http|scrapy|phantom|puppeteer|playwright|selenium/i;

interface Options {
  views: PageViews;
  publicUrl: string;
  now: () => Date;
  clock?: () => number;
}

/**
 * POST /page-views?kind=home: a browser displayed a page. Only the kind of page and whether the visitor came from outside are
 * stored; the address only limits what one source can add per minute, in this process's memory. Declared bots get the same
 * response and are not counted.
 */
export function createPageViewsEndpoint({ views, publicUrl, now, clock = () => performance.now() }: Options) {
  const isForeign = createForeignCheck(publicUrl);
  let from = clock();
  const seen = new Map<string, number>();

  function withinLimit(address: string): boolean {
    const at = clock();
    if (at - from >= WINDOW_MS) {
      from = at;
      seen.clear();
    }
    const source = addressKey(address);
    const count = (seen.get(source) ?? 0) + 1;
    if (count > MAX_VIEWS || (count === 1 && seen.size >= MAX_SOURCES)) return false;
    seen.set(source, count);
    return true;
  }

  /** Counts a view if it is to be counted. @returns the response's status. */
  function take(req: IncomingMessage, query: string, address: string): 204 | 400 | 403 | 405 | 429 {
    if (req.method !== 'POST') return 405;
    if (isForeign(new Headers(originOf(req)))) return 403;
    const parameters = new URLSearchParams(query);
    const kind = PAGE_KINDS.find((one) => one === parameters.get('kind'));
    if (!kind) return 400;
    const agent = req.headers['user-agent'] ?? '';
    if (agent === '' || PROGRAM.test(agent)) return 204;
    if (!withinLimit(address)) return 429;
    views.count(kind, parameters.get('arrived') === '1', now());
    return 204;
  }

  return (req: IncomingMessage, res: ServerResponse, query: string, address: string): void => {
    const status = take(req, query, address);
    res
      .writeHead(status, {
        'cache-control': 'no-store',
        // An unread body must not be parsed as the next request.
        ...(req.complete ? {} : { connection: 'close' }),
        ...(status === 405 ? { allow: 'POST' } : {}),
        ...(status === 429 ? { 'retry-after': String(WINDOW_MS / 1_000) } : {}),
      })
      .end();
  };
}

/** Headers in which browsers send a request's origin. */
const originOf = ({ headers }: IncomingMessage): Record<string, string> => ({
  ...(typeof headers.origin === 'string' ? { origin: headers.origin } : {}),
  ...(typeof headers['sec-fetch-site'] === 'string' ? { 'sec-fetch-site': headers['sec-fetch-site'] } : {}),
});
