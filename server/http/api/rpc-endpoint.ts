import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StandardHandler } from '@orpc/server/standard';
import type { Context } from '#server/http/context.ts';
import { NodeHeaders, type ReadHeaders } from '#server/http/node-headers.ts';
import { bestEncoding } from '#server/http/pages/accept-encoding.ts';
import { PageBody } from '#server/http/pages/page-body.ts';
import { singleFlight } from '#server/lib/concurrency/single-flight.ts';
import { type CallOptions, createNodeCaller, type NodeEndpoint, sendAnswer } from './node-calls.ts';
import { publicReadOf, readRoutes } from './public-reads.ts';

const PREFIX = '/rpc/';
const UTF8 = new TextDecoder();
/** Smaller bodies fit in one packet anyway. Bytes. */
const MIN_COMPRESSED = 1_024;

/**
 * The usual request of the web app's own protocol, a POST of JSON with a declared length, straight from Node's request to the
 * procedure. Every other request, and every refusal before the procedure, is left to the Hono application of api.ts.
 *
 * The public reads of public-reads.ts are executed once for all concurrent callers of the same one, without their cookies, and are sent
 * compressed: after a restart, and after each change, all open screens read the same lists at the same moment. No caller
 * gets the result of a read that began before its request.
 *
 * @param options.maxBody of a body, in bytes.
 * @param options.isForeign whether a page of another site sent these headers.
 */
export function createRpcEndpoint(
  handler: StandardHandler<Context>,
  options: CallOptions & { maxBody: number; isForeign: (headers: ReadHeaders) => boolean },
): NodeEndpoint {
  const routes = readRoutes();
  const call = createNodeCaller(handler, '/rpc', options);

  const share = singleFlight(async ({ url, body }: { url: string; body: unknown }) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await call({ method: 'POST', url, headers, body: async () => body }, new Headers(headers));
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
    const answer = await call({ method: 'POST', url, headers: req.headers, body: read }, headers);
    if (!answer) return false;
    sendAnswer(res, answer);
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
