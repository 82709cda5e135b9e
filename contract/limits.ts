/** Business numbers of the product, in one place. Plain values: the browser imports this file, never the schemas. */

/** Characters. */
export const PASSWORD_MIN = 6;
export const PASSWORD_MAX = 256;
export const USERNAME_MIN = 3;
export const USERNAME_MAX = 30;
export const EMAIL_MAX = 254;

/** Cards that the home grid shows at first and adds at each 'more'. */
export const HOME_PAGE = 24;
/** Rows that the ranking shows at first and adds at each 'more'. */
export const RANKING_PAGE = 50;
/** Most rows one request for the ranking may ask for. */
export const RANKING_MAX = 1_000;
/** Days of votes drawn beside a candidate in the ranking, and on its own page. */
export const TREND_DAYS = 14;
export const HISTORY_DAYS = 30;
/** Podium places on home: the projects with order_index 1 to 3. */
export const PODIUM_SLOTS = 3;
/** Tokens that one member may keep in the saved list. */
export const SAVED_MAX = 500;

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** One rule: at most `hits` within `seconds`, counted from the first hit. */
export interface Limit {
  hits: number;
  seconds: number;
}

/** How often one address (IPv4, or the /64 of an IPv6), account or pair may do what. */
export const LIMITS = {
  signInAddressMinute: { hits: 5, seconds: MINUTE },
  signInAddressHour: { hits: 30, seconds: HOUR },
  signInAccountHour: { hits: 10, seconds: HOUR },
  signUpAddressHour: { hits: 3, seconds: HOUR },
  signUpAddressDay: { hits: 10, seconds: DAY },
  linkAccountHour: { hits: 5, seconds: HOUR },
  voteAccountMinute: { hits: 20, seconds: MINUTE },
  voteAccountDay: { hits: 60, seconds: DAY },
  voteWithdrawCandidateDay: { hits: 10, seconds: DAY },
  saveAccountMinute: { hits: 60, seconds: MINUTE },
} as const satisfies Record<string, Limit>;

/** How long answers count as fresh, how long they are kept, and how failures are retried. Milliseconds. */
export const TIMING = {
  homeFresh: 600_000,
  homeKept: 900_000,
  homeRefresh: 30_000,
  homeRetryDelay: 2_000,
  candidatesFresh: 300_000,
  candidatesKept: 600_000,
  voteStatusFresh: 30_000,
  roleFresh: 5_000,
  sessionCheck: 30_000,
  /** Pause between a change heard from the server and the refetch of a list. */
  liveRefreshDelay: 1_000,
  toast: 5_000,
  /** Waits before each new try to reach the live stream; the last one repeats. */
  reconnect: [1_000, 2_000, 5_000, 10_000],
} as const;
