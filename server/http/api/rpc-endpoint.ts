import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StandardHandler } from '@orpc/server/standard';
import type { Context } from '#server/http/context.ts';
import { NodeHeaders, type ReadHeaders } from '#server/http/node-headers.ts';
import { bestEncoding } from '#server/http/pages/accept-encoding.ts';
import { PageBody } from '#server/http/pages/page-body.ts';
import { singleFlight } from '#server/lib/concurrency/single-flight.ts';
import { publicReadOf, readRoutes } from './public-reads.ts';

/** Answers a request of the web app's own protocol. @returns false when it has to be answered the other way, with its body unread. */
export type RpcEndpoint = (req: IncomingMessage, res: ServerResponse) => Promise<boolean>;

const PREFIX = '/rpc/';
const UTF8 = new TextDecoder();
/** Smaller bodies fit in one packet anyway. Bytes. */
const MIN_COMPRESSED = 1_024;

/** A response without what depends on the client's encodings. */
interface Answer {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  json: string;
}

interface Call {
  /** Path and query of the request. */
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: () => Promise<unknown>;
}

/**
 * The usual request of the web app's own protocol, a POST of JSON with a declared length, straight from Node's request to the
 * procedure: building a web-standard Request and Response for it costs as much as everything else that the protocol does. Every other
 * request, and every refusal before the procedure, is left to the Hono application of api.ts.
 *
 * The public reads of public-reads.ts are executed once for all concurrent callers of the same one, without their cookies, and are sent
 * compressed: after a restart, and after each change, all open screens read the same lists at the same moment. No caller
 * gets the result of a read that began before its request.
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
    contextOf: (headers: NodeHeaders | Headers, resHeaders: Headers) => Context;
    retryAfter: (body: unknown) => string;
  },
): RpcEndpoint {
  const usualHeaders = Object.entries({ ...options.headers, 'cache-control': 'no-store' }).flat();
  const routes = readRoutes();

  /** @returns null when no procedure has this path. */
  async function call({ url, headers, body }: Call, from: NodeHeaders | Headers): Promise<Answer | null> {
    const resHeaders = new Headers();
    const { matched, response } = await handler.handle(
      // Only the path matters; the origin of a URL cannot be left out.
      { method: 'POST', url: new URL(url, 'http://localhost'), headers, body, signal: undefined },
      { prefix: '/rpc', context: options.contextOf(from, resHeaders) },
    );
    if (!matched) return null;
    const { status, body: answered } = response;
    const json = answered === undefined ? '' : JSON.stringify(answered);
    const sent = [...usualHeaders];
    for (const [name, value] of resHeaders) sent.push(name, value);
    if (status === 429 || status === 503) sent.push('retry-after', options.retryAfter(answered));
    if (json !== '') sent.push('content-type', 'application/json');
    return { status, headers: sent, json };
  }

  const share = singleFlight(async ({ url, body }: { url: string; body: unknown }) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await call({ url, headers, body: async () => body }, new Headers(headers));
    return answer && { ...answer, compressible: new PageBody(Buffer.from(answer.json)) };
  });

  async function sendShared(req: IncomingMessage, res: ServerResponse, url: string, body: unknown): Promise<boolean> {
    const answer = await share({ url, body });
    if (!answer) return false;
    const { compressible } = answer;
    const encoding = compressible.length < MIN_COMPRESSED ? 'identity' : bestEncoding(req.headers['accept-encoding']);
    const bytes = await compressible.as(encoding);
    const sent = [...answer.headers, 'content-length', String(bytes.length)];
    if (encoding !== 'identity') sent.push('content-encoding', encoding, 'vary', 'Accept-Encoding');
    res.writeHead(answer.status, sent);
    res.end(bytes);
    return true;
  }

  return async (req, res) => {
    const headers = new NodeHeaders(req);
    if (!isUsual(req, options.maxBody) || options.isForeign(headers)) return false;
    const url = req.url ?? '/';
    let read = () => readJson(req);
    const route = routes.get(url.slice(PREFIX.length));
    if (route !== undefined) {
      const [body] = await Promise.allSettled([readJson(req)]);
      if (body.status === 'fulfilled' && isSharedRead(route, body.value)) return sendShared(req, res, url, body.value);
      // An unreadable body is answered as in every other call.
      read = () => (body.status === 'fulfilled' ? Promise.resolve(body.value) : Promise.reject(body.reason));
    }
    const answer = await call({ url, headers: req.headers, body: read }, headers);
    if (!answer) return false;
    res.writeHead(answer.status, [...answer.headers, 'content-length', String(Buffer.byteLength(answer.json))]);
    // As text, which Node sends together with the head.
    res.end(answer.json);
    return true;
  };
}

/** @param body in the protocol's format: the input of a call at `json`; types that JSON does not have would be at `meta`. */
function isSharedRead(route: string, body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Object.keys(body).some((name) => name !== 'json')) return false;
  return publicReadOf(route, (body as { json?: unknown }).json) !== null;
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
