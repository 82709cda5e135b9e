/** Sort orders of each list; the first one is the default. */
export const EXPLORE_ORDERS = {
  project: ['new', 'place'],
  candidate: ['votes', 'today', 'new'],
  next: ['launch', 'new'],
} as const;
/** Page size of a filtered list. */
export const EXPLORE_PAGE = 24;
