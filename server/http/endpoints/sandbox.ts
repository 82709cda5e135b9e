import type { IncomingMessage, ServerResponse } from 'node:http';
import { createForeignCheck } from '#server/http/same-origin.ts';
import { securityHeaders } from '#server/http/security-headers.ts';

/** Bytes of one form of the simulation's page. */
const MAX_BODY = 16 * 1024;

/**
 * /sandbox/*: the pages of the payment simulation, which listens on this machine only. Its API is not reachable here.
 *
 * @param origin where it listens. @param publicUrl a write from pages of any other origin is refused.
 */
export function createSandboxProxy(origin: () => Promise<string>, publicUrl: string) {
  const isForeign = createForeignCheck(publicUrl);
  const headers = {
    ...securityHeaders(publicUrl.startsWith('https:')),
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    // With 'no-referrer' a browser sends 'Origin: null' with the page's own form.
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
      // Not destroyed when it is left: its sender must hear the answer.
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
      return void plain(502, 'SIMULACIÓN: no responde todavía');
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
