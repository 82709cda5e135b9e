import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { partHeaders, securityHeaders, workerHeaders } from '#server/http/security-headers.ts';
import { bestEncoding } from './accept-encoding.ts';

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
  identity: Buffer;
  br?: Buffer;
  gzip?: Buffer;
  headers: Record<string, string>;
}

/** A small document that is part of the program. */
export interface StaticPage {
  url: string;
  type: string;
  body: string;
}

export type StaticFiles = (req: IncomingMessage, res: ServerResponse, pathname: string) => boolean;

/**
 * Loads the client build into memory, with the compressed variants from the build. Only paths in this map are served,
 * so path traversal is impossible.
 *
 * @param folders folders with their URL prefix, and optionally the only file names to load.
 * @returns a function that handles a request for one of the files, and returns false for other paths.
 */
export function loadStaticFiles(
  folders: { dir: string; prefix?: string; only?: string[] }[],
  pages: StaticPage[],
  secure: boolean,
): StaticFiles {
  const files = new Map<string, StaticFile>();
  for (const { url, type, body } of pages)
    files.set(url, {
      identity: Buffer.from(body),
      headers: { ...securityHeaders(secure), 'content-type': type, 'cache-control': 'public, max-age=3600' },
    });
  for (const { dir, prefix = '', only } of folders) {
    if (!existsSync(dir)) continue;
    for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      const extension = path.extname(entry.name);
      if (!entry.isFile() || extension === '.br' || extension === '.gz' || (only && !only.includes(entry.name)))
        continue;
      const url = `${prefix}/${path.relative(dir, file).split(path.sep).join('/')}`;
      const twin = (ending: string) => (existsSync(file + ending) ? readFileSync(file + ending) : undefined);
      files.set(url, {
        identity: readFileSync(file),
        br: twin('.br'),
        gzip: twin('.gz'),
        headers: {
          ...(url === WORKER
            ? workerHeaders(secure)
            : PARTS.has(extension)
              ? partHeaders(secure)
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
    const body = file[encoding] ?? file.identity;
    res.writeHead(200, {
      ...file.headers,
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      'content-length': body.length,
    });
    res.end(req.method === 'HEAD' ? undefined : body);
    return true;
  };
}
