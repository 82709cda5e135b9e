import type { StandardHandler } from '@orpc/server/standard';
import type { Context } from '#server/http/context.ts';
import { NodeHeaders } from '#server/http/node-headers.ts';
import { type CallOptions, createNodeCaller, type NodeEndpoint, sendAnswer } from './node-calls.ts';

/**
 * The usual request of the REST form, a GET without a body, straight from Node's request to the procedure. Every other request, and every
 * path without a procedure, is left to the Hono application of api.ts.
 */
export function createRestEndpoint(handler: StandardHandler<Context>, options: CallOptions): NodeEndpoint {
  const call = createNodeCaller(handler, '/api', options);
  return async (req, res) => {
    const { method, url = '/', headers } = req;
    if (method !== 'GET' || headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
      return false;
    const answer = await call({ method, url, headers, body: async () => undefined }, new NodeHeaders(req));
    if (!answer) return false;
    sendAnswer(res, answer);
    return true;
  };
}
