import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Logger } from 'pino';
import { LIMITS } from '#contract/limits.ts';
import type { LedgerService } from '#server/domains/ledger/ledger.port.ts';
import type { HttpServices } from '#server/http/context.ts';
import { bestEncoding } from '#server/http/pages/accept-encoding.ts';
import { isNotModified } from '#server/http/pages/conditional.ts';
import { securityHeaders } from '#server/http/security-headers.ts';
import { addressLimits, consumeRateLimits, secondsToWait } from '#server/lib/rate-limits/rate-limit.ts';
import { StorageError } from '#server/providers/storage/port.ts';
import { isLedgerPath } from '#verify/layout.ts';

const compress = promisify(gzip);
/** A year, in seconds. */
const FOR_EVER = 31_536_000;

/** Rate limit for files of the ledger, per address and its networks, over all processes. */
export const ledgerFileLimit =
  (services: Pick<HttpServices, 'db' | 'now'>) =>
  (address: string): Promise<void> =>
    consumeRateLimits(
      services.db,
      addressLimits('ledger-file', address, LIMITS.ledgerFileAddressMinute),
      services.now(),
    );

interface Options {
  ledger: Pick<LedgerService, 'open'>;
  /** Consumes the rate limit for an address and its networks. @throws RATE_LIMITED */
  take: (address: string) => Promise<void>;
  secure: boolean;
  log: Logger;
}

/**
 * GET /ledger/…: checkpoint, key, tiles, bundles of entries and results, public and with CORS. Non-canonical spellings of such
 * a path are answered without a query. Returns false without a response when a browser that accepts HTML requests a path that
 * no file can have: the site has a page for it.
 */
export function createLedgerFiles({ ledger, take, secure, log }: Options) {
  const always = {
    ...securityHeaders(secure),
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
  };
  const plain = (res: ServerResponse, status: number, text: string, more: Record<string, string> = {}) => {
    res.writeHead(status, {
      ...always,
      'cache-control': 'no-store',
      'content-type': 'text/plain; charset=utf-8',
      ...more,
    });
    res.end(text);
    return true;
  };
  return async (req: IncomingMessage, res: ServerResponse, path: string, address: string): Promise<boolean> => {
    if (!isLedgerPath(path)) return !req.headers.accept?.includes('text/html') && plain(res, 404, 'Not found');
    try {
      await take(address);
    } catch (error) {
      const wait = secondsToWait(error);
      if (wait === undefined) throw error;
      return plain(res, 429, 'Too many requests', { 'retry-after': String(wait) });
    }
    let file: Awaited<ReturnType<LedgerService['open']>>;
    try {
      file = await ledger.open(path);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      log.error({ err: error, path }, 'file of the ledger not read');
      return plain(res, 503, 'Storage not available', { 'retry-after': '5' });
    }
    if (!file) return plain(res, 404, 'Not found');
    // A weak ETag, because the file has another form for clients that accept gzip.
    const etag = `W/"${createHash('sha256').update(file.bytes).digest('base64url').slice(0, 22)}"`;
    const headers = {
      ...always,
      'cache-control': `public, max-age=${file.seconds}${file.seconds >= FOR_EVER ? ', immutable' : ''}`,
      vary: 'Accept-Encoding',
      etag,
    };
    if (isNotModified(req, etag)) {
      res.writeHead(304, headers).end();
      return true;
    }
    const encoding = bestEncoding(req.headers['accept-encoding'], (one) => one === 'gzip' && file.bytes.length > 500);
    const body = encoding === 'gzip' ? await compress(file.bytes) : file.bytes;
    res.writeHead(200, {
      ...headers,
      'content-type': file.type,
      'content-length': body.length,
      ...(encoding === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
    });
    res.end(req.method === 'HEAD' ? undefined : body);
    return true;
  };
}
