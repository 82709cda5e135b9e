const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The numbers of the signals, tuned on seeds 1 to 8 of `florka votes simulate` (docs/vote-review.md). Times in milliseconds.
 * Sizes are distinct members.
 */
export const REVIEW = {
  /** Votes that are older than this, counted from the oldest new one, are looked at by few signals again. */
  recent: DAY,
  /** An account this young at its first vote of the round is fresh. */
  freshFor: 3 * DAY,
  /** An account this old that never voted before is dormant. */
  dormantAfter: 14 * DAY,
  /**
   * Fresh accounts of one network for one candidate within `window`, by size of the network. IPv4 addresses and their /24
   * are shared by offices and carriers, which is why theirs are larger; of an IPv6 a person has a /64 and a site a /48.
   */
  burst: {
    window: 10 * MINUTE,
    share: 0.7,
    members: { ipv4: 25, ipv4_24: 26, ipv6_64: 6, ipv6_56: 9, ipv6_48: 14 },
  },
  /**
   * Fresh accounts of one network that vote for one candidate only, within `window`, however far apart: so many, and so large a
   * share of all members of that network who voted meanwhile.
   */
  drip: {
    window: 3 * DAY,
    share: 0.8,
    members: { ipv4: 25, ipv4_24: 26, ipv6_64: 7, ipv6_56: 12, ipv6_48: 26 },
  },
  /** Members of one network on one UTC day; votes of those who come after are held. */
  capacity: { ipv4: 600, ipv4_24: 2_000, ipv6_64: 16, ipv6_56: 80, ipv6_48: 600 },
  lockstep: {
    /** Votes are in step when they fall into the same slot. */
    slot: 4 * MINUTE,
    /** Days on which the same members must have voted for the same candidate in the same slots. */
    days: 3,
    /** The newest votes of a member for a candidate that are compared. */
    compared: 7,
    members: 6,
    /** A ring has this many times the members that chance would bring together. */
    factor: 4,
    /** The share of a candidate's voters that chance puts into one slot at most. */
    maxChance: 0.35,
    /** Of a member's votes for the candidate, the share that is in step. */
    share: 0.7,
  },
  fresh: {
    /** Fresh accounts of one candidate that are looked at together: at least, and within. */
    members: 18,
    window: 12 * HOUR,
    /** And those of fewer an hour. */
    longWindow: 3 * DAY,
    /** Ratio of the ends of the band that the times from sign-up to vote are looked for in. */
    band: 2.6,
    /** The share of people whose time falls into the best such band (measured: at most 0.45). */
    expected: 0.45,
    /** Standard deviations above that share. */
    deviations: 4,
    /** So many times the votes of the fuller band beside it: people's times end nowhere at once. */
    minDensityRatio: 3.6,
    /** Beside those that vote for one candidate: those that vote for so many others within so long after they signed up. */
    maxOtherCandidates: 2,
    visit: 10 * MINUTE,
    /** A network that brings more of them than this is left to the signals of networks. */
    maxPerNetwork: 3,
  },
  /**
   * Accounts made together long ago; any that wake up within `window`, with their share of the candidate's voters then, and at least so many
   * different networks for each.
   */
  dormant: {
    members: 6,
    gap: 20 * MINUTE,
    woken: 30,
    window: 2 * HOUR,
    share: 0.6,
    apart: 0.6,
    /** So many that were made together and waited so long for their first vote, and their share of those who were. */
    minCohort: 18,
    firstVoteDelayMs: 6 * HOUR,
    lateShare: 0.8,
  },
  pace: {
    /** Accounts without a life of their own in a row, and the variation of the pauses between them (1 for people). */
    run: 24,
    variation: 0.45,
    /** Votes of a new member within this time of each other, so many times in a row, are not clicked. */
    between: 300,
    times: 2,
    /** From sign-up to the vote; accounts that do so for one candidate, and the time within which they do. */
    signUp: 3_000,
    atOnce: 8,
    within: HOUR,
  },
  /** Accounts of one mailbox (plus-addresses and dots left out) for one candidate. */
  mailbox: { members: 3 },
  /** Fresh accounts of one domain that vote for one candidate only, and their share of the domain's voters in the window. */
  domain: { members: 12, share: 0.8 },
} as const;
