import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { PaymentService } from '#server/domains/payments/payments.port.ts';
import { readRequest } from '#server/http/read-request.ts';
import { addressKey } from '#server/lib/network/address.ts';

/** Maximum bytes of a callback; real ones have about one thousand. */
const MAX_BODY = 64 * 1024;
/** Timeout for receiving it. Milliseconds. */
const TIMEOUT_MS = 5_000;
/** Minimum interval between two log lines per source. Milliseconds. */
const LOG_INTERVAL_MS = 60_000;
const MAX_SOURCES = 1_000;

/**
 * POST /webhooks/nowpayments. A callback is stored, queued and acknowledged at once; it has no effect before the provider was
 * queried. 401 for an invalid signature, without a query; 503 when it can't be stored, so that the provider sends it again.
 */
export function createWebhooks(payments: PaymentService, log: Logger) {
  const logged = new Map<string, number>();
  const refused = (address: string, reason: string) => {
    const at = performance.now();
    const source = addressKey(address);
    if (at - (logged.get(source) ?? -LOG_INTERVAL_MS) < LOG_INTERVAL_MS) return;
    if (logged.size >= MAX_SOURCES) logged.clear();
    logged.set(source, at);
    log.warn({ source, reason }, 'payment callback refused');
  };

  return async (req: IncomingMessage, res: ServerResponse, address: string): Promise<void> => {
    const answer = (status: number, text: string, more: Record<string, string> = {}) => {
      // An unread body must not be parsed as the next request.
      if (!req.complete) more['connection'] = 'close';
      res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...more });
      res.end(text);
    };
    if (req.method !== 'POST') return answer(405, 'Method not allowed', { allow: 'POST' });
    const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
    const refusedStatus =
      Number(req.headers['content-length'] ?? 0) > MAX_BODY
        ? 413
        : type !== 'application/json' || (req.headers['content-encoding'] ?? 'identity') !== 'identity'
          ? 400
          : 0;
    const body = refusedStatus ? refusedStatus : await readRequest(req, { maxBytes: MAX_BODY, timeoutMs: TIMEOUT_MS });
    if (typeof body === 'number') {
      refused(address, `status ${body}`);
      return answer(body, 'Refused');
    }
    const header = req.headers['x-nowpayments-sig'];
    let outcome: Awaited<ReturnType<PaymentService['receive']>>;
    try {
      outcome = await payments.receive(body, typeof header === 'string' ? header : undefined);
    } catch (error) {
      log.error({ err: error }, 'payment callback not stored');
      return answer(503, 'Try again', { 'retry-after': '60' });
    }
    if (outcome !== 'forged') return answer(200, 'ok');
    refused(address, 'signature');
    answer(401, 'Refused');
  };
}
