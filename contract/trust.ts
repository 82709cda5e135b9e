/**
 * Rules for the forum's levels of trust, from 0 to 2, and for the texts that wait for a moderator when reviews are on.
 * `/moderation` shows these numbers.
 */
export const TRUST = {
  /** Number of a level 0 member's texts that wait; level 1 requires as many shown texts, and an account of this age in days. */
  firstTexts: 3,
  memberDays: 1,
  /** Number of texts with a link that wait at level 1. At level 0 each one waits. */
  firstLinks: 2,
  /** Requirements for level 2: age of the account in days, and shown texts. */
  regularDays: 30,
  regularTexts: 20,
  /** Days for which a removal counts: one prevents level 2, two prevent level 1. */
  removalDays: 90,
} as const;
/** Maximum of a member's waiting texts. */
export const REVIEWS_WAITING = 5;
/** Maximum of waiting texts shown to staff at once. */
export const REVIEWS_SHOWN = 100;
/** Maximum of level changes shown. */
export const TRUST_CHANGES_SHOWN = 50;
/** Default retention in days of a removed text's copy for its author. */
export const REMOVAL_COPY_DAYS = 365;
