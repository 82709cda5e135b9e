import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Logger } from 'pino';
import type { LedgerService } from '#server/domains/ledger/ledger.port.ts';
import { StorageError } from '#server/providers/storage/port.ts';
import { bestEncoding } from './accept-encoding.ts';
import { securityHeaders } from './security-headers.ts';

const compress = promisify(gzip);

interface Options {
  ledger: Pick<LedgerService, 'open'>;
  secure: boolean;
  log: Logger;
}

/** GET /ledger/…: checkpoint, key, tiles, bundles of entries and results, for anybody and from anywhere. */
export function createLedgerFiles({ ledger, secure, log }: Options) {
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
  };
  return async (req: IncomingMessage, res: ServerResponse, path: string): Promise<void> => {
    let file: Awaited<ReturnType<LedgerService['open']>>;
    try {
      file = await ledger.open(path);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      log.error({ err: error, path }, 'file of the ledger not read');
      return plain(res, 503, 'Storage not available', { 'retry-after': '5' });
    }
    if (!file) return plain(res, 404, 'Not found');
    const encoding = bestEncoding(req.headers['accept-encoding'], (one) => one === 'gzip' && file.bytes.length > 500);
    const body = encoding === 'gzip' ? await compress(file.bytes) : file.bytes;
    res.writeHead(200, {
      ...always,
      'content-type': file.type,
      'content-length': body.length,
      'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=2',
      vary: 'Accept-Encoding',
      ...(encoding === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
    });
    res.end(req.method === 'HEAD' ? undefined : body);
  };
}
