import { SITE_PAGES } from './limits.ts';

/** Kinds of public pages that are counted separately. */
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

/** Default retention of the counts in days: three years, so that months can be compared. */
export const PAGE_VIEW_DAYS = 1_096;

/** Endpoint for browsers' page views. */
export const PAGE_VIEWS = '/page-views';

/** The kind of a path by its first segment, when their names differ. */
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
 * The kind of the page at a path of the site; nothing else of the path is recorded.
 *
 * @returns null for pages that are not counted: the back office, its previews, and development tools.
 */
export function pageKind(pathname: string): PageKind | null {
  const first = pathname.replace(/^\/en(?=\/|$)/, '').split('/')[1] ?? '';
  if (/^(admin|admin-login|dev|preview)$/.test(first)) return null;
  const known = Object.hasOwn(KIND_OF, first) ? KIND_OF[first] : undefined;
  if (known) return known;
  if ((SITE_PAGES as readonly string[]).includes(first)) return 'text';
  return PAGE_KINDS.find((kind) => kind === first) ?? 'other';
}
