import type { IncomingMessage } from 'node:http';
import { isContractProcedure } from '@orpc/contract';
import { contract } from '#contract/index.ts';
import type { LiveDomain } from '#contract/live.ts';
import { finishPage, type Page, type PageCache } from '#server/http/pages/page-cache.ts';

/** Set by the server itself for a request that is answered as for an anonymous visitor; a client cannot set it. */
export const AS_VISITOR = { asVisitor: true };

/** A read of the API whose current response is the same for every caller. */
export interface PublicRead {
  /** Path and known parameters in a fixed order: the complete cache key. */
  key: string;
  /** Domains whose changes invalidate the response. */
  tags: readonly LiveDomain[];
}

interface Rule {
  path: RegExp;
  tags: readonly LiveDomain[];
  /** Parameters of cacheable requests, in the order of the key; a request with any other parameter goes to the API itself. */
  parameters?: Record<string, RegExp>;
}

/** At most 100: longer lists are too large for the cache. */
const LIMIT = /^([1-9]\d?|100)$/;
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const TOKEN_TAGS = ['projects', 'voting', 'nextProjects', 'market', 'tokenRequests'] as const;

/**
 * Cacheable reads, one line each. None of them depends on the caller. Further pages (cursors) and searches are excluded: their
 * requests rarely repeat and would only evict first pages.
 */
const RULES: readonly Rule[] = [
  {
    path: /^\/api\/projects$/,
    tags: ['projects', 'market'],
    parameters: { limit: LIMIT, order: /^(all|others|new)$/ },
  },
  { path: /^\/api\/projects\/podium$/, tags: ['projects', 'market'] },
  { path: /^\/api\/candidates$/, tags: ['voting'], parameters: { limit: LIMIT } },
  { path: new RegExp(`^/api/candidates/${UUID}/history$`), tags: ['voting'] },
  { path: /^\/api\/next-projects$/, tags: ['nextProjects', 'voting'], parameters: { limit: LIMIT } },
  { path: /^\/api\/next-projects\/launches$/, tags: ['nextProjects', 'voting'] },
  { path: /^\/api\/tokens\/[A-Za-z0-9-]{1,160}$/, tags: TOKEN_TAGS },
  {
    path: new RegExp(`^/api/tokens/[A-Za-z]{1,20}/${UUID}/prices$`),
    tags: TOKEN_TAGS,
    parameters: { range: /^[a-z0-9]{1,10}$/ },
  },
  { path: /^\/api\/news$/, tags: ['news'], parameters: { limit: LIMIT } },
  { path: new RegExp(`^/api/news/${UUID}$`), tags: ['news'] },
  { path: /^\/api\/forum\/posts$/, tags: ['forum'], parameters: { limit: LIMIT } },
  { path: new RegExp(`^/api/forum/posts/${UUID}$`), tags: ['forum'] },
  { path: new RegExp(`^/api/forum/posts/${UUID}/comments$`), tags: ['forum'], parameters: { limit: LIMIT } },
  { path: /^\/api\/networks$/, tags: ['networks'] },
  { path: /^\/api\/site-pages\/[a-z-]{1,40}$/, tags: ['sitePages'], parameters: { locale: /^(es|en)$/ } },
];

/**
 * The public read for a request's target.
 *
 * @param pathname of the target as received; a path with escapes has too many spellings to be cached.
 * @param search its query with the question mark, or ''.
 * @returns null when it is not public, not a first page, or has an unknown, empty or repeated parameter.
 */
export function publicRead(pathname: string, search: string): PublicRead | null {
  const rule = RULES.find(({ path }) => path.test(pathname));
  if (!rule) return null;
  if (search === '' || search === '?') return { key: pathname, tags: rule.tags };
  const given = [...new URLSearchParams(search)];
  const known = Object.entries(rule.parameters ?? {});
  const allowedParameters = known.flatMap(([name, allowed]) =>
    given
      .filter(([spelling, value]) => spelling === name && allowed.test(value))
      .map(([, value]) => `${name}=${value}`),
  );
  const names = new Set(given.map(([name]) => name));
  if (allowedParameters.length !== given.length || names.size !== given.length) return null;
  return { key: `${pathname}?${allowedParameters.join('&')}`, tags: rule.tags };
}

/**
 * The public read that corresponds to a procedure call.
 *
 * @param path of the procedure's route, with its parameters in braces.
 * @returns null if there is none.
 */
export function publicReadOf(path: string, input: unknown): PublicRead | null {
  const rest = new Map(Object.entries((input ?? {}) as Record<string, unknown>));
  const pathname = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name) ?? '');
    rest.delete(name);
    return value;
  });
  const query = new URLSearchParams();
  for (const [name, value] of rest) {
    if (value === undefined || value === null) continue;
    if (typeof value === 'object') return null;
    query.set(name, String(value));
  }
  return publicRead(`/api${pathname}`, query.size > 0 ? `?${query}` : '');
}

/** Paths of the routes of all procedures that only read, by the names of domain and procedure with slashes between them. */
export function readRoutes(node: object = contract, names = ''): Map<string, string> {
  const routes = new Map<string, string>();
  for (const [name, part] of Object.entries(node) as [string, unknown][]) {
    if (isContractProcedure(part)) {
      const { method, path } = part['~orpc'].route;
      if (method === 'GET' && path !== undefined) routes.set(names + name, path);
    } else if (typeof part === 'object' && part !== null)
      for (const [inner, path] of readRoutes(part, `${names}${name}/`)) routes.set(inner, path);
  }
  return routes;
}

/**
 * Maximum age of a cached response. Changes invalidate it at once; data that depend on the clock only (a UTC day, a launch) are
 * never older than this.
 */
export const PUBLIC_READ_TTL_MS = 1_000;

/** Maximum number of cached responses; each has some 10 to 60 KB with all encodings in use. */
export const MAX_PUBLIC_READS = 200;

/** Browsers revalidate each time. What shared caches may store for a second is decided by shared-cache.ts. */
const CACHE_CONTROL = 'private, no-cache';

/** Dependencies of the public reads. */
interface ReadContext {
  options: { api: { fetch: (request: Request, options?: object) => Response | Promise<Response> } };
  origin: string;
  secure: boolean;
  reads: PageCache;
}

/**
 * The response to a public read: the cached one, or the API's own, shared by concurrent callers of the same key. The API is
 * called without the caller's cookies, so that nothing personal can be cached.
 */
export async function answerPublicRead(
  { options, origin, secure, reads }: ReadContext,
  req: IncomingMessage,
  { key, tags }: PublicRead,
): Promise<Page> {
  return (
    reads.peek(key) ??
    reads.fill(key, tags, async () => {
      const headers = new Headers();
      for (const name of ['x-client-address', 'x-request-id']) {
        const value = req.headers[name];
        if (typeof value === 'string') headers.set(name, value);
      }
      const response = await options.api.fetch(new Request(origin + key, { headers }), AS_VISITOR);
      return finishPage(response, secure, response.ok ? CACHE_CONTROL : 'no-store');
    })
  );
}
