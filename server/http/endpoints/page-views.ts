import type { IncomingMessage, ServerResponse } from 'node:http';
import { PAGE_KINDS } from '#contract/page-views.ts';
import type { PageViews } from '#server/domains/admin/page-views.port.ts';
import { createForeignCheck } from '#server/http/same-origin.ts';
import { addressKey } from '#server/lib/network/address.ts';

/** What is counted of addresses is forgotten after this time. Milliseconds. */
const WINDOW_MS = 60_000;
/** Views of one address in that time that count; many people may share one. */
const MAX_VIEWS = 120;
const MAX_SOURCES = 20_000;
/** What programs that fetch pages call themselves; browsers say none of this. */
const PROGRAM =
  /bot\b|bot[/;_-]|crawl|spider|slurp|headless|preview|facebookexternalhit|lighthouse|pingdom|uptime|monitor|curl|wget|python|java\/|okhttp|axios|node-fetch|go-http|scrapy|phantom|puppeteer|playwright|selenium/i;

interface Options {
  views: PageViews;
  publicUrl: string;
  now: () => Date;
  clock?: () => number;
}

/**
 * POST /page-views?kind=home: a browser has shown a page. It says what kind of page and whether it came from outside, and
 * nothing else is kept; the address only limits how much one source can add within a minute, in this process's memory.
 * Programs that call themselves so are answered the same, and not counted.
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

  /** Counts what is to be counted. @returns the status of the answer. */
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
        // What was not read must not be taken for the next request.
        ...(req.complete ? {} : { connection: 'close' }),
        ...(status === 405 ? { allow: 'POST' } : {}),
        ...(status === 429 ? { 'retry-after': String(WINDOW_MS / 1_000) } : {}),
      })
      .end();
  };
}

/** What browsers say of where a request comes from. */
const originOf = ({ headers }: IncomingMessage): Record<string, string> => ({
  ...(typeof headers.origin === 'string' ? { origin: headers.origin } : {}),
  ...(typeof headers['sec-fetch-site'] === 'string' ? { 'sec-fetch-site': headers['sec-fetch-site'] } : {}),
});
