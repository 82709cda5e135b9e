import { SITE_PAGES } from './limits.ts';

/** What kinds of public pages are counted apart. */
export const PAGE_KINDS = [
  'home',
  'vote',
  'tokens',
  'token',
  'next',
  'news',
  'forum',
  'search',
  'create',
  'account',
  'text',
  'other',
] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/** Days that the counts are kept, unless the settings say otherwise: three years, to compare months. */
export const PAGE_VIEW_DAYS = 1_096;

/** Where browsers say that a page was shown. */
export const PAGE_VIEWS = '/page-views';

/** The kind that the first part of an address belongs to, where it is not called the same. */
const KIND_OF: Readonly<Record<string, PageKind>> = {
  '': 'home',
  ticket: 'vote',
  ledger: 'vote',
  compare: 'tokens',
  creator: 'tokens',
  member: 'forum',
  moderation: 'forum',
  publish: 'create',
  order: 'create',
  submission: 'create',
  auth: 'account',
  verify: 'account',
  reset: 'account',
  notifications: 'account',
  saved: 'account',
  unsubscribe: 'account',
};

/**
 * The kind of the page at a path of the site; no more than this is ever said of it.
 *
 * @returns null for what is not counted: the back office, its previews, and what developers use.
 */
export function pageKind(pathname: string): PageKind | null {
  const first = pathname.replace(/^\/en(?=\/|$)/, '').split('/')[1] ?? '';
  if (/^(admin|admin-login|dev|preview)$/.test(first)) return null;
  const known = Object.hasOwn(KIND_OF, first) ? KIND_OF[first] : undefined;
  if (known) return known;
  if ((SITE_PAGES as readonly string[]).includes(first)) return 'text';
  return PAGE_KINDS.find((kind) => kind === first) ?? 'other';
}
