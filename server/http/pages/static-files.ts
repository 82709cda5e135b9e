import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { baseHeaders, securityHeaders, workerHeaders } from '#server/http/security-headers.ts';
import { bestEncoding, type Encoding } from './accept-encoding.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Revalidated each time, so that browsers do not continue to use the service worker of an old release. */
const WORKER = '/sw.js';

/** Files that are only loaded as part of a page. */
const PARTS = new Set(['.css', '.js', '.woff2']);

interface StaticFile {
  /** Absent until it is requested if there is a `gzip` or a `later`: nearly all clients accept a compressed form. */
  identity?: Buffer;
  br?: Buffer | undefined;
  gzip?: Buffer | undefined;
  /** Path of a file that is read with its first request. */
  later?: string;
  headers: Record<string, string>;
}

/** A small document that is part of the program. */
export interface StaticPage {
  url: string;
  type: string;
  body: string;
}

export type StaticFiles = (req: IncomingMessage, res: ServerResponse, pathname: string) => boolean;

/** The bytes in an encoding that the file has; the plain ones are cached from their first request on. */
function bytesOf(file: StaticFile, encoding: Encoding): Buffer {
  const ready = file[encoding];
  if (ready) return ready;
  file.identity = file.gzip ? gunzipSync(file.gzip) : readFileSync(file.later ?? '');
  return file.identity;
}

/**
 * Loads the client build into memory, with the compressed variants from the build: it stays complete while a newer build
 * replaces the folder. Files of packages are read with their first request. Only paths in this map are served, so path
 * traversal is impossible.
 *
 * @param folders folders with their URL prefix, and optionally the only file names to serve; `later` if they are read with
 *   their first request.
 * @returns a function that handles a request for one of the files, and returns false for other paths.
 */
export function loadStaticFiles(
  folders: { dir: string; prefix?: string; only?: string[]; later?: true }[],
  pages: StaticPage[],
  secure: boolean,
): StaticFiles {
  const files = new Map<string, StaticFile>();
  for (const { url, type, body } of pages)
    files.set(url, {
      identity: Buffer.from(body),
      headers: { ...securityHeaders(secure), 'content-type': type, 'cache-control': 'public, max-age=3600' },
    });
  for (const { dir, prefix = '', only, later } of folders) {
    if (!existsSync(dir)) continue;
    for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      const extension = path.extname(entry.name);
      if (!entry.isFile() || extension === '.br' || extension === '.gz' || (only && !only.includes(entry.name)))
        continue;
      const url = `${prefix}/${path.relative(dir, file).split(path.sep).join('/')}`;
      const twin = (ending: string) => (existsSync(file + ending) ? readFileSync(file + ending) : undefined);
      const gzip = twin('.gz');
      files.set(url, {
        ...(later ? { later: file } : gzip ? {} : { identity: readFileSync(file) }),
        br: twin('.br'),
        gzip,
        headers: {
          ...(url === WORKER
            ? workerHeaders(secure)
            : PARTS.has(extension)
              ? baseHeaders(secure)
              : securityHeaders(secure)),
          'content-type': TYPES[extension] ?? 'application/octet-stream',
          // Names of build assets contain a hash of their content.
          'cache-control':
            url === WORKER
              ? 'no-cache'
              : url.startsWith('/assets/')
                ? 'public, max-age=31536000, immutable'
                : 'public, max-age=3600',
          vary: 'Accept-Encoding',
          ...(extension === '.svg'
            ? { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }
            : {}),
        },
      });
    }
  }
  return (req, res, pathname) => {
    const file = files.get(pathname);
    if (!file) return false;
    const encoding = bestEncoding(req.headers['accept-encoding'], (one) => file[one] !== undefined);
    const body = bytesOf(file, encoding);
    res.writeHead(200, {
      ...file.headers,
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      'content-length': body.length,
    });
    res.end(req.method === 'HEAD' ? undefined : body);
    return true;
  };
}
