/** Orders that a list can have; the first is the one without a wish. */
export const EXPLORE_ORDERS = {
  project: ['new', 'place'],
  candidate: ['votes', 'today', 'new'],
  next: ['launch', 'new'],
} as const;
/** Tokens of one page of a filtered list. */
export const EXPLORE_PAGE = 24;
