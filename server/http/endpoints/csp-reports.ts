import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { readRequest } from '#server/http/read-request.ts';
import { addressKey } from '#server/lib/network/address.ts';

/** Maximum bytes of one delivery; one report has about one thousand. */
const MAX_BODY = 16 * 1024;
/** Timeout for receiving it. Milliseconds. */
const TIMEOUT_MS = 5_000;
/** Counters are reset after this time. Milliseconds. */
const WINDOW_MS = 60_000;
/** Maximum of deliveries per source, and of log lines in total, in that time. */
const MAX_DELIVERIES = 20;
const MAX_LINES = 30;
const MAX_SOURCES = 5_000;
/** Maximum of reports read from one delivery. */
const MAX_REPORTS = 20;
const TYPES = new Set(['application/csp-report', 'application/reports+json']);

/**
 * POST /csp-reports: violations of a page's Content-Security-Policy, reported by browsers. The endpoint is unauthenticated, so
 * reports are rate limited in this process, truncated, and only logged, each kind once a minute: directive, page without its
 * query, and the origin of the blocked resource. Code samples are not stored, because they can contain user input.
 */
export function createCspReports(log: Logger, clock: () => number = () => performance.now()) {
  let from = clock();
  let lines = 0;
  const deliveries = new Map<string, number>();
  const seen = new Set<string>();

  return async (req: IncomingMessage, res: ServerResponse, address: string): Promise<void> => {
    const answer = (status: number, more: Record<string, string> = {}) => {
      // An unread body must not be parsed as the next request.
      if (!req.complete) more['connection'] = 'close';
      res.writeHead(status, { 'cache-control': 'no-store', ...more }).end();
    };
    if (req.method !== 'POST') return answer(405, { allow: 'POST' });
    const at = clock();
    if (at - from >= WINDOW_MS) {
      from = at;
      lines = 0;
      deliveries.clear();
      seen.clear();
    }
    const source = addressKey(address);
    const count = (deliveries.get(source) ?? 0) + 1;
    if (count > MAX_DELIVERIES || (count === 1 && deliveries.size >= MAX_SOURCES))
      return answer(429, { 'retry-after': String(Math.ceil((from + WINDOW_MS - at) / 1_000)) });
    deliveries.set(source, count);
    const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (!TYPES.has(type)) return answer(415);
    if (Number(req.headers['content-length'] ?? 0) > MAX_BODY) return answer(413);
    const body = await readRequest(req, { maxBytes: MAX_BODY, timeoutMs: TIMEOUT_MS });
    if (typeof body === 'number') return answer(body);
    const reports = reportsIn(body.toString('utf8'));
    if (!reports) return answer(400);
    for (const report of reports) {
      const key = JSON.stringify(report);
      if (lines >= MAX_LINES || seen.has(key)) continue;
      seen.add(key);
      lines++;
      log.warn({ csp: report }, 'a browser refused a part of a page');
    }
    answer(204);
  };
}

interface CspReport {
  directive: string;
  page: string;
  blocked: string;
}

/** The reports of both formats; undefined when the body has neither. */
function reportsIn(body: string): CspReport[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  const list = Array.isArray(parsed) ? parsed.slice(0, MAX_REPORTS) : [parsed];
  const reports: CspReport[] = [];
  for (const one of list) {
    const old = field(one, 'csp-report');
    const details = old ?? (field(one, 'type') === 'csp-violation' ? field(one, 'body') : undefined);
    if (typeof details !== 'object' || details === null) continue;
    const read = (...names: string[]) => names.map((name) => field(details, name)).find((v) => typeof v === 'string');
    reports.push({
      directive: word(read('effectiveDirective', 'effective-directive', 'violated-directive')),
      page: pathOf(read('documentURL', 'document-uri')),
      blocked: originOf(read('blockedURL', 'blocked-uri')),
    });
  }
  return reports.length > 0 ? reports : undefined;
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

const word = (value: unknown): string => /^[a-z-]{1,40}/.exec(String(value ?? ''))?.[0] ?? '';

const pathOf = (value: unknown): string => {
  const url = URL.parse(String(value ?? ''));
  return url ? url.pathname.slice(0, 200) : '';
};

/** A keyword such as 'inline', or the origin. */
const originOf = (value: unknown): string => {
  const url = URL.parse(String(value ?? ''));
  return (url ? (url.origin === 'null' ? url.protocol : url.origin) : word(value)).slice(0, 200);
};
