import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MediaService } from '#server/domains/media/media.port.ts';
import { readPinnedName } from '#server/lib/pinned-files.ts';
import { StorageError } from '#server/providers/storage/port.ts';

/** A year: a file named by its own hash is immutable. Seconds. */
const MAX_AGE_SECONDS = 31_536_000;

/**
 * GET /token-files/{hash}.png and .json: public images and descriptions of tokens. A file whose content does not match its hash
 * is treated as missing.
 *
 * @param options.headers of every response.
 */
export function createTokenFiles(options: {
  media: Pick<MediaService, 'openPinned'>;
  headers: Record<string, string>;
  log: { error: (about: object, message: string) => void };
}) {
  const { media, headers, log } = options;
  const plain = (res: ServerResponse, status: number, text: string, more: Record<string, string> = {}) =>
    void res
      .writeHead(status, {
        ...headers,
        'cache-control': 'no-store',
        'content-type': 'text/plain; charset=utf-8',
        ...more,
      })
      .end(text);
  return async (req: IncomingMessage, res: ServerResponse, file: string): Promise<void> => {
    const type = readPinnedName(file)?.type;
    const bytes = type && (await media.openPinned(file).catch((error: unknown) => failed(error, file)));
    if (bytes === 'down') return plain(res, 503, 'Storage not available', { 'retry-after': '5' });
    if (!type || !bytes) return plain(res, 404, 'Not found');
    const etag = `"${file}"`;
    const fileHeaders = {
      ...headers,
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'cache-control': `public, max-age=${MAX_AGE_SECONDS}, immutable`,
      etag,
    };
    if (isNotModified(req, etag)) return void res.writeHead(304, fileHeaders).end();
    const charset = type === 'application/json' ? '; charset=utf-8' : '';
    res.writeHead(200, { ...fileHeaders, 'content-type': type + charset, 'content-length': bytes.length });
    res.end(req.method === 'HEAD' ? undefined : bytes);
  };

  function failed(error: unknown, file: string): 'down' {
    if (!(error instanceof StorageError)) throw error;
    log.error({ err: error, file }, 'token file not read');
    return 'down';
  }
}

import { isNotModified } from '#server/http/pages/conditional.ts';
