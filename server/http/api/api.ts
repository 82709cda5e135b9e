import { StandardOpenAPICodec, StandardOpenAPIMatcher } from '@orpc/openapi/standard';
import { StandardBracketNotationSerializer, StandardOpenAPISerializer } from '@orpc/openapi-client/standard';
import { createRouterClient, ORPCError, onError, ValidationError } from '@orpc/server';
import { FetchHandler } from '@orpc/server/fetch';
import { StrictGetMethodPlugin } from '@orpc/server/plugins';
import { StandardHandler, StandardRPCHandler } from '@orpc/server/standard';
import { Hono, type Context as HonoContext, type MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import type { Context } from '#server/http/context.ts';
import type { NodeHeaders } from '#server/http/node-headers.ts';
import { createForeignCheck } from '#server/http/same-origin.ts';
import { securityHeaders } from '#server/http/security-headers.ts';
import { router } from '#server/router.ts';
import { acceptAdminEmail } from './admin-email.ts';
import { describeApi } from './api-description.ts';
import { knownDatabaseFailure } from './database-failures.ts';
import { exportList, refusalOf } from './list-export.ts';
import type { CallOptions, NodeEndpoint } from './node-calls.ts';
import { PlainJson } from './plain-json.ts';
import type { AS_VISITOR } from './public-reads.ts';
import { logRefusal } from './refusals.ts';
import { createRestEndpoint } from './rest-endpoint.ts';
import { createRpcEndpoint } from './rpc-endpoint.ts';

/** Maximum size of a JSON body in bytes. */
const MAX_BODY = 256 * 1024;

/** A procedure call. */
interface Called<T> {
  next: () => Promise<T>;
  context: Context;
  path: readonly string[];
}

/** @param visitor set for a read whose response is the same for every caller. */
export type MakeContext = (
  request: { headers: Headers | NodeHeaders },
  resHeaders: Headers,
  visitor?: 'visitor',
) => Context;

/** The API over HTTP. */
export interface Api {
  fetch: Hono['fetch'];
  /** Answers most requests at /rpc with less work than `fetch`, which answers those that it leaves. */
  rpc: NodeEndpoint;
  /** The same for reads at /api. */
  rest: NodeEndpoint;
}

/**
 * The API over HTTP: the web app's own protocol at /rpc, the documented REST form at /api, its description at
 * /api/openapi.json. Both run the same procedures.
 *
 * @param publicUrl origin of the site's own pages; writes from pages of any other site are refused.
 */
export function createApi(options: { makeContext: MakeContext; publicUrl: string; log: Logger; version: string }): Api {
  const { makeContext, log } = options;
  const isForeign = createForeignCheck(options.publicUrl);
  const report = (error: unknown) => reportFailure(log, error);
  /** Requests whose input was parsed. */
  const understood = new WeakSet<Context>();
  const translate = async <T>({ next, context, path }: Called<T>): Promise<T> => {
    understood.add(context);
    try {
      return await next();
    } catch (error) {
      const failure = publicError(error);
      await logRefusal(log, context, path.join('.'), failure);
      throw failure;
    }
  };
  /** Unparseable input is the client's mistake, and the parser's message quotes it: neither log nor response may contain it. */
  const refuseUnreadable = async <T>({ next, context }: { next: () => Promise<T>; context: Context }): Promise<T> => {
    try {
      return await next();
    } catch (error) {
      if (error instanceof ORPCError || understood.has(context)) throw error;
      throw new ORPCError('BAD_REQUEST', { status: 400, message: 'Malformed request' });
    }
  };
  const rpcHandler = (plugins: StrictGetMethodPlugin<Context>[]) =>
    new StandardRPCHandler(router, {
      plugins,
      interceptors: [onError(report), refuseUnreadable],
      clientInterceptors: [translate, acceptAdminEmail],
    });
  const rpc = new FetchHandler(rpcHandler([new StrictGetMethodPlugin()]));
  const restHandler = new StandardHandler<Context>(
    router,
    new StandardOpenAPIMatcher(),
    new StandardOpenAPICodec(new StandardOpenAPISerializer(new PlainJson(), new StandardBracketNotationSerializer())),
    { interceptors: [onError(report), refuseUnreadable], clientInterceptors: [translate, acceptAdminEmail] },
  );
  const rest = new FetchHandler(restHandler);
  const description = describeApi(options.version);

  const api = new Hono();
  api.onError((error, c) => {
    log.error({ err: error }, 'unexpected failure');
    return refuse(c, 500, 'INTERNAL_SERVER_ERROR');
  });
  api.use('*', limitBody);
  api.use('*', async (c, next) => {
    const refusal = crossSiteError(c.req.raw, isForeign) ?? bodyError(c.req.raw);
    return refusal ? refuse(c, refusal.status, refusal.code) : next();
  });
  api.get('/api/openapi.json', async (c) => c.json((await description).document));
  api.get('/api/admin/:file{[a-z-]+\\.csv}', async (c) => {
    const context = makeContext(c.req.raw, new Headers());
    const file = c.req.param('file');
    try {
      return (await exportList(context, file, new URL(c.req.url).searchParams)) ?? refuse(c, 404, 'NOT_FOUND');
    } catch (error) {
      const failure = publicError(error);
      await logRefusal(log, context, file, failure);
      return refusalOf(failure);
    }
  });
  api.all('/rpc/*', (c) => run(c, (request, context) => rpc.handle(request, { prefix: '/rpc', context })));
  api.all('/api/*', (c) => run(c, (request, context) => rest.handle(request, { prefix: '/api', context })));

  async function run(
    c: HonoContext,
    handle: (request: Request, context: Context) => Promise<{ matched: boolean; response?: Response }>,
  ): Promise<Response> {
    const resHeaders = new Headers({ 'cache-control': 'no-store' });
    const result = await handle(c.req.raw, makeContext(c.req.raw, resHeaders, visitorOf(c)));
    if (!result.matched || !result.response) {
      const allowed = (await description).methodsOf(new URL(c.req.url).pathname);
      return allowed.length > 0
        ? refuse(c, 405, 'METHOD_NOT_SUPPORTED', { allow: allowed.join(', ') })
        : refuse(c, 404, 'NOT_FOUND');
    }
    const { response } = result;
    for (const [name, value] of resHeaders) response.headers.append(name, value);
    if (response.status === 429 || response.status === 503)
      response.headers.set('retry-after', await retryAfter(response));
    return response;
  }
  const callOptions: CallOptions = {
    headers: securityHeaders(options.publicUrl.startsWith('https:')),
    contextOf: (headers, resHeaders) => makeContext({ headers }, resHeaders),
    retryAfter: retryAfterOf,
  };
  return {
    fetch: api.fetch,
    // All of its requests are POST, so the plugin about GET is not needed.
    rpc: createRpcEndpoint(rpcHandler([]), { ...callOptions, maxBody: MAX_BODY, isForeign }),
    rest: createRestEndpoint(restHandler, callOptions),
  };
}

/** The API for the server's own loaders, as an anonymous visitor, without HTTP. Errors are logged here, as over HTTP. */
export const createVisitorApi = (makeContext: () => Context, log: Logger) =>
  createRouterClient(router, {
    context: makeContext,
    interceptors: [
      async ({ next }) => {
        try {
          return await next();
        } catch (error) {
          const failure = publicError(error);
          reportFailure(log, failure);
          throw failure;
        }
      },
    ],
  });

/**
 * Logs errors other than expected refusals, without user input (see describeError). While the database is unavailable every
 * request fails, so those are warnings, as for pages; readiness and the jobs report the cause.
 */
function reportFailure(log: Logger, error: unknown): void {
  const status = error instanceof ORPCError ? error.status : 500;
  if (status === 503) log.warn({ err: error }, 'not available');
  else if (status >= 500) log.error({ err: error }, 'unexpected failure');
}

const visitorOf = (c: HonoContext) => ((c.env as Partial<typeof AS_VISITOR>)?.asVisitor ? 'visitor' : undefined);

/** In the error format of each protocol. */
const refuse = (
  c: HonoContext,
  status: 400 | 403 | 404 | 405 | 413 | 415 | 500,
  code: string,
  headers?: Record<string, string>,
) => {
  const failure = { defined: false, code, status, message: code };
  return c.json(c.req.path.startsWith('/rpc/') ? { json: failure } : failure, status, {
    'cache-control': 'no-store',
    // The adapter closes a connection soon after an unread body, so the connection must not be reused.
    ...(hasBody(c.req.raw) ? { connection: 'close' } : {}),
    ...headers,
  });
};

/** HTTP/1.1 announces a body by its length or its encoding; the adapter's Request always has one. */
const hasBody = ({ headers }: Request) =>
  headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0;

/** Refuses bodies that are too long: before reading when the length is declared, otherwise while reading. */
const limitBody: MiddlewareHandler = async (c, next) => {
  const { raw } = c.req;
  if (!hasBody(raw)) return next();
  if (!raw.headers.has('transfer-encoding'))
    return Number(raw.headers.get('content-length')) > MAX_BODY ? refuse(c, 413, 'PAYLOAD_TOO_LARGE') : next();
  // Read only here: accessing the body makes the adapter build a complete Request and a stream.
  if (!raw.body) return next();
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Read manually: leaving a for-await loop cancels the stream, and with it the connection that the response needs.
  const reader = raw.body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > MAX_BODY) return refuse(c, 413, 'PAYLOAD_TOO_LARGE');
      chunks.push(next.value);
    }
  } catch {
    // The body was cut off, so no client is left to read the reason.
    return refuse(c, 400, 'BAD_REQUEST');
  }
  c.req.raw = new Request(raw.url, { method: raw.method, headers: raw.headers, body: Buffer.concat(chunks) });
  return next();
};

/** Writes are accepted from our own pages or from non-browser clients only; another site must not use a visitor's cookies. */
function crossSiteError(request: Request, isForeign: (headers: Headers) => boolean) {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return undefined;
  return isForeign(request.headers) ? ({ status: 403, code: 'FOREIGN_ORIGIN' } as const) : undefined;
}

function bodyError(request: Request) {
  if (request.method === 'GET' || request.method === 'HEAD' || !hasBody(request)) return undefined;
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return undefined;
  return { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' } as const;
}

/** The error to send: expected errors unchanged, invalid input with its fields, everything else without a reason. */
function publicError(error: unknown): unknown {
  if (error instanceof ORPCError) {
    if (error.cause instanceof ValidationError) {
      if (error.code !== 'BAD_REQUEST') return new ORPCError('INTERNAL_SERVER_ERROR', { cause: error.cause });
      const issues = error.cause.issues.map((issue) => ({
        path: (issue.path ?? []).map((part) => (typeof part === 'object' ? part.key : part)),
        message: issue.message,
      }));
      return new ORPCError('BAD_REQUEST', { status: 400, message: 'Invalid input', data: { issues } });
    }
    return error;
  }
  return knownDatabaseFailure(error) ?? error;
}

const retryAfter = async (response: Response): Promise<string> =>
  retryAfterOf(
    await response
      .clone()
      .json()
      .catch(() => null),
  );

/** @param body of a refusal in the format of either protocol. @returns seconds. */
function retryAfterOf(body: unknown): string {
  const { json, data } = (body ?? {}) as { json?: { data?: unknown }; data?: unknown };
  return String(((json?.data ?? data) as { retryAfter?: number } | undefined)?.retryAfter ?? 5);
}
