import type { LiveDomain } from '#contract/live.ts';

/** A public document that is the same for every visitor. */
export interface CacheablePage {
  /** Path and known parameters in one fixed order: what the document depends on, nothing else. */
  key: string;
  tags: readonly LiveDomain[];
}

interface Rule {
  path: RegExp;
  tags: readonly LiveDomain[];
  /** Query parameters that change the document. */
  parameters?: readonly string[];
}

/** One line per public page; a page that is not here is rendered for each request. */
const RULES: readonly Rule[] = [
  { path: /^\/$/, tags: ['projects', 'nextProjects'], parameters: ['tab'] },
  { path: /^\/vote$/, tags: ['voting'] },
  { path: /^\/token\/[^/]{1,160}(\/candidate)?$/, tags: ['projects', 'voting', 'nextProjects', 'market'] },
  { path: /^\/next$/, tags: ['nextProjects', 'voting'], parameters: ['page'] },
  { path: /^\/news(\/[0-9a-f-]{36})?$/, tags: ['news'], parameters: ['q'] },
  { path: /^\/forum$/, tags: ['forum'], parameters: ['q'] },
  { path: /^\/create$/, tags: ['networks'] },
  { path: /^\/(publish|auth|saved|account)$/, tags: [] },
];

/** Characters of one parameter. */
const LONGEST = 100;

/** Languages that live under a prefix of their own; the default one has none. */
const LANGUAGE_PREFIX = /^\/en(?=\/|$)/;

/** The cacheable page behind a request's path and query, or null. */
export function cacheablePage(pathname: string, search: string): CacheablePage | null {
  const prefix = LANGUAGE_PREFIX.exec(pathname)?.[0] ?? '';
  const bare = pathname.slice(prefix.length) || '/';
  const rule = RULES.find(({ path }) => path.test(bare));
  if (!rule) return null;
  let query = '';
  if (search && rule.parameters) {
    const given = new URLSearchParams(search);
    const kept = new URLSearchParams();
    for (const name of rule.parameters) {
      const value = given.get(name);
      if (value === null || value === '') continue;
      // Nobody shares addresses this long: they are rendered, but take no place in the cache.
      if (value.length > LONGEST) return null;
      kept.set(name, value);
    }
    query = kept.size > 0 ? `?${kept}` : '';
  }
  return { key: `${prefix}${bare === '/' && prefix ? '' : bare}${query}`, tags: rule.tags };
}
