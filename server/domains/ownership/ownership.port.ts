import type { PublishedMethod } from '#contract/domains/ownership.ts';

/** Why nothing was found that proves. */
export type NotProven = 'missing' | 'other' | 'redirect' | 'private' | 'large' | 'type' | 'slow' | 'unreachable';

/** How published proofs are looked for. */
export interface ProofChecks {
  /**
   * Looks at the name system or the website.
   *
   * @param subject the host name that is to be proven.
   * @param token what has to be found there.
   * @returns null when it is there; else why it counts as not there.
   */
  look(method: PublishedMethod, subject: string, token: string): Promise<NotProven | null>;
}
