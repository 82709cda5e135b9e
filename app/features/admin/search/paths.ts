import type { SearchHit, SearchHitKind } from '#contract/admin/search.ts';
import { SEARCH_MAX } from '#contract/limits.ts';

/** The list of each kind, which searches by the parameter `q`. */
const LIST_OF: Readonly<Record<SearchHitKind, string>> = {
  person: '/admin/complete-users',
  mailbox: '/admin/people',
  order: '/admin/token-creation',
  unplaced: '/admin/token-creation',
  refund: '/admin/refunds',
  deliverable: '/admin/deliverables?state=all',
  submission: '/admin/submissions',
  project: '/admin/projects',
  next_project: '/admin/next-projects',
  candidate: '/admin/votes',
  network: '/admin/networks',
  news: '/admin/news',
  post: '/admin/forum',
  comment: '/admin/forum?what=comment',
};

const withParameters = (path: string, parameters: Record<string, string>): string =>
  `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`;

/** A title, which may be longer than a search, cut to SEARCH_MAX without splitting a surrogate pair. */
const searchable = (text: string): string => text.slice(0, SEARCH_MAX).replace(/[\ud800-\udbff]$/, '');

/** The list of a kind with these search terms; unplaced money is listed above the orders, in full and without a search. */
export const listWith = (kind: SearchHitKind, q: string): string =>
  kind === 'unplaced' ? LIST_OF[kind] : withParameters(LIST_OF[kind], { q: searchable(q) });

/** Where a hit is worked on: its own page or dialog, its place in a list, or its list with its name as the search. */
export function pathOf({ kind, id, title, detail, item }: SearchHit): string {
  if (kind === 'person') return `/admin/people/${id}`;
  if (kind === 'mailbox') return withParameters('/admin/mailbox', { address: id });
  if (kind === 'order') return `/admin/token-creation?request=${id}`;
  if (kind === 'unplaced') return withParameters('/admin/token-creation', { deposit: id });
  if (kind === 'submission') return `/admin/submissions?open=${id}`;
  if (kind === 'deliverable') return withParameters(LIST_OF[kind], { q: detail, ...(item ? { item } : {}) });
  // The search of the forum finds a text by its id; a title of common words alone finds none.
  if (kind === 'post' || kind === 'comment') return listWith(kind, id);
  return listWith(kind, title);
}
