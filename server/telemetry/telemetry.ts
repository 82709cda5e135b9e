import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Env } from '#server/env.ts';
import { listen } from '#server/http/listen.ts';
import { isWorker, metricsOfAllWorkers } from '#server/processes/worker.ts';
import { endFailed } from './end-failed.ts';
import type { Measured, Metrics } from './metrics.ts';
import { traceQueries } from './query-spans.ts';
import { createRouteNames, type PageRoutes } from './routes.ts';
import type { Traces } from './traces.ts';

type Settings = Pick<Env, 'METRICS_PORT' | 'METRICS_HOST' | 'METRICS_TOKEN' | 'OTEL_EXPORTER_OTLP_ENDPOINT'>;

/** Path of the metrics. */
const PATH = '/metrics';
/** The one request that lasts as long as its page is open. */
const STREAM = '/live';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Metrics for scrapers and spans for a collector. */
export interface Telemetry {
  /** The port of its own, when there is one. */
  port: number | undefined;
  /** Creates spans for statements on these connections. Has to be called before the first connection. */
  watchPool(pool: pg.Pool): void;
  /** Runs and measures one attempt of a background job. */
  job: (name: string, run: () => Promise<void>) => Promise<void>;
  /** Adds the metrics of the running site. To be called once. */
  measure(measured: Measured): void;
  /** Wraps a listener so that its requests are measured; it serves /metrics unless a separate port does. */
  observe(listener: RequestListener, pages: PageRoutes): RequestListener;
  close(): Promise<void>;
}

/**
 * Starts the metrics and traces that the variables configure.
 *
 * @throws StartError when METRICS_PORT cannot be opened.
 */
export async function startTelemetry(env: Settings, version: string, log: Logger): Promise<Telemetry> {
  // Imported on demand: the libraries are large, and most installations need neither.
  const metrics =
    env.METRICS_PORT !== undefined || env.METRICS_TOKEN ? (await import('./metrics.ts')).createMetrics(version) : null;
  const traces = env.OTEL_EXPORTER_OTLP_ENDPOINT
    ? (await import('./traces.ts')).createTraces(env.OTEL_EXPORTER_OTLP_ENDPOINT, version)
    : null;
  // In a worker process the metrics of all workers are returned.
  const own = async () => (await metrics?.collect()) ?? '';
  const collect = metrics && isWorker() ? metricsOfAllWorkers(own) : own;
  const scrape =
    metrics && ((req: IncomingMessage, res: ServerResponse) => answer(collect, env.METRICS_TOKEN, req, res));
  const apart = env.METRICS_PORT === undefined || !scrape ? null : await openPort(env, env.METRICS_PORT, scrape);
  if (apart) log.info({ host: env.METRICS_HOST, port: apart.port }, 'metrics on a separate port');
  return {
    port: apart?.port,
    watchPool: (pool) => traces && traceQueries(pool, traces),
    job: (name, run) => measureJob(metrics, traces, name, run),
    measure: (measured) => metrics?.measure(measured),
    observe(listener, pages) {
      const routeOf = createRouteNames(pages);
      const observed = observeRequests(listener, routeOf, metrics, traces);
      if (apart || !scrape) return observed;
      return (req, res) => (pathOf(req) === PATH ? scrape(req, res) : observed(req, res));
    },
    async close() {
      await Promise.all([apart?.close(), traces?.close()]);
      await metrics?.close();
    },
  };
}

const pathOf = ({ url = '/' }: IncomingMessage) => {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
};

async function openPort(env: Settings, wantedPort: number, scrape: RequestListener) {
  const server = createServer((req, res) =>
    pathOf(req) === PATH ? scrape(req, res) : res.writeHead(404, { 'content-type': 'text/plain' }).end('Not found'),
  );
  const port = await listen(server, { PORT: wantedPort, HOST: env.METRICS_HOST });
  return {
    port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Serves the metrics to requests with the token, or to all on the separate port if no token is set. */
function answer(
  collect: () => Promise<string>,
  token: string | undefined,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  const respond = (status: number, text: string, more: Record<string, string> = {}) =>
    res
      .writeHead(status, {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        ...more,
      })
      .end(req.method === 'HEAD' ? undefined : text);
  const given = digest(req.headers.authorization ?? '');
  if (token && !timingSafeEqual(given, digest(`Bearer ${token}`)))
    return void respond(401, 'A token is needed', { 'www-authenticate': 'Bearer' });
  if (req.method !== 'GET' && req.method !== 'HEAD')
    return void respond(405, 'Method not allowed', { allow: 'GET, HEAD' });
  collect().then(
    (text) => respond(200, text, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
    () => respond(500, 'The metrics could not be read'),
  );
}

async function measureJob(metrics: Metrics | null, traces: Traces | null, name: string, run: () => Promise<void>) {
  const began = performance.now();
  const span = traces?.start(`job ${name}`, SpanKind.INTERNAL, { 'florka.job': name });
  const end = (outcome: 'done' | 'failed') => metrics?.job(name, outcome, (performance.now() - began) / 1000);
  try {
    await (span && traces ? traces.within(span, run) : run());
    span?.end();
    end('done');
  } catch (error) {
    if (span) endFailed(span, error);
    end('failed');
    throw error;
  }
}

function observeRequests(
  listener: RequestListener,
  routeOf: (pathname: string) => string,
  metrics: Metrics | null,
  traces: Traces | null,
): RequestListener {
  if (!metrics && !traces) return listener;
  return (req, res) => {
    const began = performance.now();
    const path = pathOf(req);
    const route = routeOf(path);
    // The method is chosen by the client.
    const method = METHODS.has(req.method ?? '') ? (req.method ?? '') : 'other';
    const span = traces?.start(`${method} ${route}`, SpanKind.SERVER, {
      'http.request.method': method,
      'http.route': route,
    });
    res.once('close', () => {
      if (path !== STREAM) metrics?.request(route, method, res.statusCode, (performance.now() - began) / 1000);
      span?.setAttribute('http.response.status_code', res.statusCode);
      if (res.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    });
    if (span && traces) traces.within(span, () => listener(req, res));
    else listener(req, res);
  };
}
