import { postCategory } from '#contract/domains/forum.ts';
import { exploreOrder } from '#contract/domains/tokens.ts';
import { marketNetwork } from '#contract/fields/schemas.ts';
import { SITE_PAGES } from '#contract/limits.ts';
import type { LiveDomain } from '#contract/live.ts';
import { SIGN_IN_FAILED_PARAMETER, SIGN_IN_FAILURES } from '#contract/text/sign-in-address.ts';

/** A public document that is the same for every visitor. */
export interface CacheablePage {
  /** Path and known parameters in a fixed order: the complete cache key. */
  key: string;
  tags: readonly LiveDomain[];
}

/** The canonical spelling of a parameter's value: '' when it does not change the document, null when the page must not be cached. */
type Spelling = (value: string) => string | null;

interface Rule {
  path: RegExp;
  tags: readonly LiveDomain[];
  /** Query parameters that change the document. */
  parameters?: Record<string, Spelling>;
}

/** Maximum page number of a list that is cached: readers rarely go further, but a client can request any number. */
const MAX_NUMBERED = 100;

const tab: Spelling = (value) => (value === 'next' || value === 'new' ? value : '');
const number: Spelling = (value) => {
  const page = /^\d{1,9}$/.test(value) ? Number(value) : 1;
  if (page <= 1) return '';
  return page <= MAX_NUMBERED ? String(page) : null;
};
/** The forum's categories; any other value shows the whole board. */
const category: Spelling = (value) => (postCategory.safeParse(value).success ? value : '');
/** One of these values, or '' for the default. */
const oneOf =
  (...values: readonly string[]): Spelling =>
  (value) =>
    values.includes(value) ? value : '';
/** Number of an ended round, limited because a client can request any number. */
const round: Spelling = (value) => (!/^[1-9]\d{0,5}$/.test(value) ? '' : Number(value) <= 999 ? value : null);
/** The filters of a list (`explorePath`). */
const filters = {
  network: oneOf(...marketNetwork.options),
  contract: oneOf('yes'),
  since: oneOf('month'),
  order: oneOf(...exploreOrder.options),
};
const launchFilters = { status: oneOf('published', 'launched'), launch: oneOf('week') };
/** Filters take the place of what the page shows without them. */
const filtered = { filters: oneOf('on'), ...filters };
/** Searches rarely repeat, so their results would only evict other pages. */
const search: Spelling = () => null;

/** Cacheable public pages, one line each; all others are rendered for each request. */
const RULES: readonly Rule[] = [
  { path: /^\/$/, tags: ['projects', 'nextProjects', 'voting'], parameters: { tab, ...filtered, ...launchFilters } },
  { path: /^\/vote$/, tags: ['voting'], parameters: filtered },
  { path: /^\/vote\/race$/, tags: ['voting'], parameters: { round } },
  { path: /^\/token\/[^/]{1,160}(\/candidate)?$/, tags: ['projects', 'voting', 'nextProjects', 'market', 'forum'] },
  {
    path: /^\/tokens$/,
    tags: ['projects', 'voting', 'nextProjects'],
    parameters: {
      kind: oneOf('candidate', 'next'),
      ...filters,
      ...launchFilters,
      with: search,
    },
  },
  {
    path: /^\/compare$/,
    tags: ['projects', 'voting', 'nextProjects', 'market'],
    parameters: { a: search, b: search, find: search },
  },
  { path: /^\/next$/, tags: ['nextProjects', 'voting'], parameters: { page: number, ...filtered, ...launchFilters } },
  { path: /^\/news(\/([0-9a-f-]{36}|_))?$/, tags: ['news'], parameters: { q: search } },
  { path: /^\/forum$/, tags: ['forum'], parameters: { q: search, tag: search, category } },
  { path: /^\/ledger$/, tags: ['voting'] },
  { path: /^\/moderation$/, tags: ['forum'] },
  { path: /^\/forum\/[0-9a-f-]{36}$/, tags: ['forum'] },
  { path: /^\/member\/[^/]{1,400}$/, tags: ['forum'] },
  { path: /^\/search$/, tags: [], parameters: { q: search } },
  { path: /^\/create$/, tags: ['networks'] },
  { path: /^\/prices$/, tags: ['sitePages', 'deliverables'] },
  { path: new RegExp(`^/(${SITE_PAGES.join('|')})$`), tags: ['sitePages'] },
  { path: /^\/auth$/, tags: [], parameters: { [SIGN_IN_FAILED_PARAMETER]: oneOf(...SIGN_IN_FAILURES) } },
  { path: /^\/(publish|saved|account|notifications)$/, tags: [] },
];

/** All domains that public pages show. */
export const publicDomains: ReadonlySet<LiveDomain> = new Set(RULES.flatMap(({ tags }) => tags));

/** Languages with a URL prefix; the default language has none. */
const LANGUAGE_PREFIX = /^\/en(?=\/|$)/;

/** True if a page, by its canonical path, is a search: its results are rendered for each request and not cached. */
export function isSearch(pathname: string, query: string): boolean {
  const bare = pathname.replace(LANGUAGE_PREFIX, '') || '/';
  const rule = RULES.find(({ path }) => path.test(bare));
  return rule?.parameters?.['q'] === search && Boolean(new URLSearchParams(query).get('q'));
}

/**
 * The query of a public page without its page number, if the page is not paginated.
 *
 * @returns null when there is no page number to remove.
 */
export function withoutPageNumber(pathname: string, query: string): string | null {
  const bare = pathname.replace(LANGUAGE_PREFIX, '') || '/';
  const rule = RULES.find(({ path }) => path.test(bare));
  const given = new URLSearchParams(query);
  if (!rule || rule.parameters?.['page'] || !given.has('page')) return null;
  given.delete('page');
  return given.size > 0 ? `?${given}` : '';
}

/** The cacheable page for a canonical path and a query, or null. */
export function cacheablePage(pathname: string, search: string): CacheablePage | null {
  const prefix = LANGUAGE_PREFIX.exec(pathname)?.[0] ?? '';
  const bare = pathname.slice(prefix.length) || '/';
  const rule = RULES.find(({ path }) => path.test(bare));
  if (!rule) return null;
  const stored = new URLSearchParams();
  const given = new URLSearchParams(search);
  for (const [name, spell] of Object.entries(rule.parameters ?? {})) {
    const value = given.get(name);
    const spelled = value ? spell(value) : '';
    if (spelled === null) return null;
    if (spelled) stored.set(name, spelled);
  }
  const query = stored.size > 0 ? `?${stored}` : '';
  return { key: `${prefix}${bare === '/' && prefix ? '' : bare}${query}`, tags: rule.tags };
}
