import { AsyncLocalStorage } from 'node:async_hooks';
import { type Attributes, ROOT_CONTEXT, type Span, type SpanKind, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

/** Maximum wait for the collector at shutdown. Milliseconds. */
const FLUSH_TIMEOUT_MS = 2_000;

export type Traces = ReturnType<typeof createTraces>;

/**
 * Spans of requests, jobs and database statements, sent over OTLP. They contain templates, numbers and codes: no
 * address, query string, parameter, person or error message. The tracer is not registered globally, because packages
 * that use a global one would add attributes beyond that.
 *
 * @param endpoint of the collector, without /v1/traces; OTEL_EXPORTER_OTLP_HEADERS and similar variables are read by
 *   the exporter.
 */
export function createTraces(endpoint: string, version: string) {
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': process.env['OTEL_SERVICE_NAME'] ?? 'florka',
        'service.version': version,
      }),
    ),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }),
      }),
    ],
  });
  const tracer = provider.getTracer('florka', version);
  const active = new AsyncLocalStorage<Span>();

  const start = (name: string, kind: SpanKind, attributes: Attributes, parent?: Span): Span =>
    tracer.startSpan(name, { kind, attributes }, parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT);

  return {
    /** The span of the running code. */
    active: () => active.getStore(),
    /** Starts a span; the caller has to end it. */
    start,
    /** Runs code as part of a span. */
    within: <T>(span: Span, run: () => T): T => active.run(span, run),
    close: () =>
      Promise.race([provider.shutdown(), new Promise((resolve) => setTimeout(resolve, FLUSH_TIMEOUT_MS).unref())]).then(
        () => {},
        () => {},
      ),
  };
}
