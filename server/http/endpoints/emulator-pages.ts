import type { IncomingMessage, ServerResponse } from 'node:http';
import { createForeignCheck } from '#server/http/same-origin.ts';
import { securityHeaders } from '#server/http/security-headers.ts';

/** Maximum bytes of a form of the emulator's pages. */
const MAX_BODY = 16 * 1024;

/**
 * /sandbox/*: proxies the pages of the emulator, which listens on loopback only. Its API is not reachable here.
 *
 * @param origin of the emulator. @param publicUrl writes from pages of any other origin are refused.
 */
export function createEmulatorPages(origin: () => Promise<string>, publicUrl: string) {
  const isForeign = createForeignCheck(publicUrl);
  const headers = {
    ...securityHeaders(publicUrl.startsWith('https:')),
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    // With 'no-referrer' a browser would send 'Origin: null' with the page's own form.
    'referrer-policy': 'same-origin',
  };
  return async (req: IncomingMessage, res: ServerResponse, pathname: string): Promise<void> => {
    const plain = (status: number, text: string) =>
      res.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8' }).end(text);
    const writes = req.method === 'POST';
    if (!writes && req.method !== 'GET' && req.method !== 'HEAD') return void plain(405, 'Method not allowed');
    if (!/^\/sandbox\/pay\/\d{1,15}$/.test(pathname)) return void plain(404, 'Not found');
    const fetchHeaders = new Headers();
    for (const name of ['origin', 'sec-fetch-site'] as const) {
      const value = req.headers[name];
      if (typeof value === 'string') fetchHeaders.set(name, value);
    }
    if (writes && isForeign(fetchHeaders)) return void plain(403, 'Foreign origin');
    const chunks: Buffer[] = [];
    let size = 0;
    if (writes)
      // The stream must not be destroyed on exit, so that the client gets the response.
      for await (const chunk of req.iterator({ destroyOnReturn: false })) {
        size += (chunk as Buffer).length;
        if (size > MAX_BODY) {
          res.setHeader('connection', 'close');
          return void plain(413, 'Too long');
        }
        chunks.push(chunk as Buffer);
      }
    let answer: Response;
    let body: Buffer;
    try {
      answer = await fetch((await origin()) + pathname, {
        method: writes ? 'POST' : 'GET',
        redirect: 'manual',
        signal: AbortSignal.timeout(5_000),
        ...(writes
          ? { body: Buffer.concat(chunks), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
          : {}),
      });
      body = Buffer.from(await answer.arrayBuffer());
    } catch {
      return void plain(502, 'SIMULACIÓN: no responde todavía · SIMULATION: no answer yet');
    }
    const location = answer.headers.get('location');
    res.writeHead(answer.status, {
      ...headers,
      'content-type': answer.headers.get('content-type') ?? 'text/plain; charset=utf-8',
      ...(location ? { location } : {}),
    });
    res.end(body);
  };
}
