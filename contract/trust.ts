/**
 * The rules by which the forum trusts a member, from level 0 to 2, and by which texts wait for a moderator where that is on.
 * `/moderation` says them with these numbers.
 */
export const TRUST = {
  /** Texts of level 0 that wait; as many that are shown bring level 1, and so old in days the account has to be. */
  firstTexts: 3,
  memberDays: 1,
  /** Texts with a link that wait at level 1. At level 0 each one does. */
  firstLinks: 2,
  /** For level 2: days of the account, and texts that are shown. */
  regularDays: 30,
  regularTexts: 20,
  /** Days for which a removal that stands counts: one keeps level 2 away, two level 1. */
  removalDays: 90,
} as const;
/** Texts of a member that may wait at once, and of everybody that staff sees at once. */
export const REVIEWS_WAITING = 5;
export const REVIEWS_SHOWN = 100;
/** Changes of a level that are told. */
export const TRUST_CHANGES_SHOWN = 50;
