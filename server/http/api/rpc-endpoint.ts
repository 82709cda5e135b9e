import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StandardHandler } from '@orpc/server/standard';
import type { Context } from '#server/http/context.ts';
import { NodeHeaders, type ReadHeaders } from '#server/http/node-headers.ts';

/** Answers a request of the web app's own protocol. @returns false when it has to be answered the other way, with its body unread. */
export type RpcEndpoint = (req: IncomingMessage, res: ServerResponse) => Promise<boolean>;

const UTF8 = new TextDecoder();

/**
 * The usual request of the web app's own protocol, a POST of JSON with a declared length, straight from Node's request to the
 * procedure: building a web-standard Request and Response for it costs as much as everything else that the protocol does. Every other
 * request, and every refusal before the procedure, is left to the Hono application of api.ts.
 *
 * @param options.maxBody of a body, in bytes.
 * @param options.isForeign whether a page of another site sent these headers.
 * @param options.headers of every response.
 * @param options.retryAfter seconds for the header Retry-After of a response of status 429 or 503.
 */
export function createRpcEndpoint(
  handler: StandardHandler<Context>,
  options: {
    maxBody: number;
    isForeign: (headers: ReadHeaders) => boolean;
    headers: Record<string, string>;
    contextOf: (headers: NodeHeaders, resHeaders: Headers) => Context;
    retryAfter: (body: unknown) => string;
  },
): RpcEndpoint {
  const usualHeaders = Object.entries({ ...options.headers, 'cache-control': 'no-store' }).flat();
  return async (req, res) => {
    const headers = new NodeHeaders(req);
    if (!isUsual(req, options.maxBody) || options.isForeign(headers)) return false;
    const resHeaders = new Headers();
    const { matched, response } = await handler.handle(
      {
        method: 'POST',
        // Only the path matters; the origin of a URL cannot be left out.
        url: new URL(req.url ?? '/', 'http://localhost'),
        headers: req.headers,
        body: () => readJson(req),
        signal: undefined,
      },
      { prefix: '/rpc', context: options.contextOf(headers, resHeaders) },
    );
    if (!matched) return false;
    const { status, body } = response;
    const json = body === undefined ? '' : JSON.stringify(body);
    const sent = [...usualHeaders];
    for (const [name, value] of resHeaders) sent.push(name, value);
    if (status === 429 || status === 503) sent.push('retry-after', options.retryAfter(body));
    if (json !== '') sent.push('content-type', 'application/json');
    sent.push('content-length', String(Buffer.byteLength(json)));
    res.writeHead(status, sent);
    // As text, which Node sends together with the head.
    res.end(json);
    return true;
  };
}

/** True for a POST whose body is JSON of a declared length within the limit. */
function isUsual({ method, headers }: IncomingMessage, maxBody: number): boolean {
  if (method !== 'POST' || headers['transfer-encoding'] !== undefined || 'content-disposition' in headers) return false;
  if (headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== 'application/json') return false;
  const length = Number(headers['content-length'] ?? 0);
  return length > 0 && length <= maxBody;
}

/** @throws SyntaxError when the body is no JSON. @throws Error when the client disconnects before its end. */
function readJson(req: IncomingMessage): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.once('end', () => {
      try {
        const text = UTF8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
        resolve(text === '' ? undefined : JSON.parse(text));
      } catch (error) {
        reject(error);
      }
    });
    req.once('error', reject);
    req.once('close', () => reject(new Error('the client disconnected')));
  });
}
