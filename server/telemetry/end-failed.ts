import { type Span, SpanStatusCode } from '@opentelemetry/api';

/** Ends a failed span; only the code of the error is recorded. */
export function endFailed(span: Span, error: unknown): void {
  const code = (error as { code?: unknown } | null)?.code;
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', typeof code === 'string' || typeof code === 'number' ? String(code) : 'Error');
  span.end();
}
