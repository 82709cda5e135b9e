import type { IncomingMessage } from 'node:http';
import type { LiveDomain } from '#contract/live.ts';
import { finishPage, type Page, type PageCache } from '#server/http/pages/page-cache.ts';
import { AS_VISITOR } from './api.ts';

/** A read of the API whose answer is the same for everybody who asks at this moment. */
export interface PublicRead {
  /** Path and known parameters in one fixed order: what the answer depends on, nothing else. */
  key: string;
  /** Domains whose changes drop the answer. */
  tags: readonly LiveDomain[];
}

interface Rule {
  path: RegExp;
  tags: readonly LiveDomain[];
  /** Parameters of which answers are kept, in the order of the key; a read with any other is answered by the API itself. */
  parameters?: Record<string, RegExp>;
}

/** At most 100: longer lists weigh too much to be kept. */
const LIMIT = /^([1-9]\d?|100)$/;
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const TOKEN_TAGS = ['projects', 'voting', 'nextProjects', 'market', 'tokenRequests'] as const;

/**
 * One line per read that is kept. None of them looks at who asks. Pages behind the first one (cursors) and searches are
 * left out: everybody reads others, and they would only push first pages out.
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
 * The public read behind a request's target.
 *
 * @param pathname of the target, as it was sent; escapes are spelled in too many ways to be kept.
 * @param search its query with the question mark, or ''.
 * @returns null for what is not public, not a first page, or has a parameter that is unknown, empty or given twice.
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
 * How long an answer is kept at most. Changes drop it at once; what only the clock changes (a UTC day, a launch) is never
 * older than this.
 */
export const PUBLIC_READ_TTL_MS = 1_000;

/** Answers in memory at most; one is some 10 to 60 KB with every encoding in use. */
export const MAX_PUBLIC_READS = 200;

/** Asked for again each time. What others may keep for a second is said by shared-cache.ts. */
const CACHE_CONTROL = 'private, no-cache';

/** What answering a public read works with. */
interface ReadContext {
  options: { api: { fetch: (request: Request, options?: object) => Response | Promise<Response> } };
  origin: string;
  secure: boolean;
  reads: PageCache;
}

/**
 * The answer to a public read: the one in memory, or the API's own, which callers of one key share. It is asked without
 * the caller's cookies, so that nothing personal can be kept.
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
