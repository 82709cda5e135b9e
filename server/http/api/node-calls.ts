import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StandardHandler } from '@orpc/server/standard';
import type { Context } from '#server/http/context.ts';
import type { NodeHeaders } from '#server/http/node-headers.ts';

/** Answers a request straight from Node's objects. @returns false when the application of api.ts has to answer it, with its body unread. */
export type NodeEndpoint = (req: IncomingMessage, res: ServerResponse) => Promise<boolean>;

/** A response without what depends on the client's encodings. */
export interface Answer {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  json: string;
}

interface Call {
  method: 'GET' | 'POST';
  /** Path and query of the request. */
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: () => Promise<unknown>;
}

/** Dependencies of calls, the same for both forms of the API. */
export interface CallOptions {
  /** Headers of every response. */
  headers: Record<string, string>;
  contextOf: (headers: NodeHeaders | Headers, resHeaders: Headers) => Context;
  /** Seconds for the header Retry-After of a response of status 429 or 503. */
  retryAfter: (body: unknown) => string;
}

/**
 * Calls a procedure without a web-standard Request and Response: building them costs as much as everything else that the protocol does.
 *
 * @param prefix of the paths of the handler's procedures.
 * @returns the function that calls; it resolves with null when no procedure has the path.
 */
export function createNodeCaller(handler: StandardHandler<Context>, prefix: '/rpc' | '/api', options: CallOptions) {
  const usualHeaders = Object.entries({ ...options.headers, 'cache-control': 'no-store' }).flat();

  return async ({ method, url, headers, body }: Call, from: NodeHeaders | Headers): Promise<Answer | null> => {
    const resHeaders = new Headers();
    const { matched, response } = await handler.handle(
      // Only the path and the query matter; the origin of a URL cannot be left out.
      { method, url: new URL(url, 'http://localhost'), headers, body, signal: undefined },
      { prefix, context: options.contextOf(from, resHeaders) },
    );
    if (!matched) return null;
    const { status, body: answered } = response;
    const json = answered === undefined ? '' : JSON.stringify(answered);
    const sent = [...usualHeaders];
    for (const [name, value] of resHeaders) sent.push(name, value);
    if (status === 429 || status === 503) sent.push('retry-after', options.retryAfter(answered));
    if (json !== '') sent.push('content-type', 'application/json');
    return { status, headers: sent, json };
  };
}

/** Sends an answer as it is. */
export function sendAnswer(res: ServerResponse, { status, headers, json }: Answer): void {
  res.writeHead(status, [...headers, 'content-length', String(Buffer.byteLength(json))]);
  // As text, which Node sends together with the head.
  res.end(json);
}
