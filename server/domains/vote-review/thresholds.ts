const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Thresholds of the signals, tuned on seeds 1 to 8 of `florka votes simulate` (docs/vote-review.md). Times in milliseconds. Sizes
 * are numbers of distinct members.
 */
export const REVIEW = {
  /** Most signals skip votes that are older than this before the oldest new one. */
  recent: DAY,
  /** An account up to this age at its first vote of the round is fresh. */
  freshFor: 3 * DAY,
  /** An account of at least this age that never voted before is dormant. */
  dormantAfter: 14 * DAY,
  /**
   * Fresh accounts of one network for one candidate within `window`, by size of the network. IPv4 addresses and their /24 are
   * shared by offices and carriers, so their limits are larger; with IPv6, a person has a /64 and a site a /48.
   */
  burst: {
    window: 10 * MINUTE,
    share: 0.7,
    members: { ipv4: 25, ipv4_24: 26, ipv6_64: 6, ipv6_56: 9, ipv6_48: 14 },
  },
  /**
   * Minimum number of fresh accounts of one network that vote for one candidate only, anywhere within `window`, and their minimum
   * share of all members of that network who voted in that time.
   */
  drip: {
    window: 3 * DAY,
    share: 0.8,
    members: { ipv4: 25, ipv4_24: 26, ipv6_64: 7, ipv6_56: 12, ipv6_48: 26 },
  },
  /** Maximum number of members of one network per UTC day; votes of later members are held. */
  capacity: { ipv4: 600, ipv4_24: 2_000, ipv6_64: 16, ipv6_56: 80, ipv6_48: 600 },
  lockstep: {
    /** Votes in the same slot of this length are in step. */
    slot: 4 * MINUTE,
    /** Days on which the same members must have voted for the same candidate in the same slots. */
    days: 3,
    /** Number of newest votes of a member for a candidate that are compared. */
    compared: 7,
    members: 6,
    /** A ring has this many times the members that chance explains. */
    factor: 4,
    /** Upper bound of the share of a candidate's voters that chance puts into one slot. */
    maxChance: 0.35,
    /** Minimum share of a member's votes for the candidate that are in step. */
    share: 0.7,
  },
  fresh: {
    /** Minimum number of fresh accounts of one candidate that are evaluated together, and their window. */
    members: 18,
    window: 12 * HOUR,
    /** Window for slower arrivals. */
    longWindow: 3 * DAY,
    /** Ratio of the upper to the lower limit of the band of times from sign-up to vote. */
    band: 2.6,
    /** Share of people whose time is in the densest such band (measured: at most 0.45). */
    expected: 0.45,
    /** Standard deviations above that share. */
    deviations: 4,
    /** Minimum ratio to the fuller adjacent band: the times of people end nowhere abruptly. */
    minDensityRatio: 3.6,
    /** In addition to accounts that vote for one candidate: those that vote for this many others within this time after sign-up. */
    maxOtherCandidates: 2,
    visit: 10 * MINUTE,
    /** A network with more of them than this is left to the network signals. */
    maxPerNetwork: 3,
  },
  /**
   * Accounts created together long ago; and any that first vote within `window`, with their minimum share of the candidate's voters
   * then, and the minimum ratio of different networks.
   */
  dormant: {
    members: 6,
    gap: 20 * MINUTE,
    woken: 30,
    window: 2 * HOUR,
    share: 0.6,
    apart: 0.6,
    /**
     * Minimum number of accounts created together that waited this long before their first vote, and their share of those created
     * then.
     */
    minCohort: 18,
    firstVoteDelayMs: 6 * HOUR,
    lateShare: 0.8,
  },
  pace: {
    /** Length of a run of accounts without other activity, and the maximum variation of the intervals between them (1 for people). */
    run: 24,
    variation: 0.45,
    /** This many consecutive votes of a new member at intervals below this are not made by clicking. */
    between: 300,
    times: 2,
    /** Time from sign-up to vote; number of such accounts for one candidate, and the time within which they vote. */
    signUp: 3_000,
    atOnce: 8,
    within: HOUR,
  },
  /** Accounts of one mailbox (ignoring plus-addresses and dots) for one candidate. */
  mailbox: { members: 3 },
  /** Fresh accounts of one domain that vote for one candidate only, and their minimum share of the domain's voters in the window. */
  domain: { members: 12, share: 0.8 },
} as const;
