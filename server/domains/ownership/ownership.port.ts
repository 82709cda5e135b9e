import type { PublishedMethod } from '#contract/domains/ownership.ts';

/** Reason why a published proof was not found. */
export type NotProven = 'missing' | 'other' | 'redirect' | 'private' | 'large' | 'type' | 'slow' | 'unreachable';

/** Checks published proofs. */
export interface ProofChecks {
  /**
   * Queries DNS or the website.
   *
   * @param subject the host name to be proven.
   * @param token the expected content.
   * @returns null when it is published; otherwise the reason why it does not count, or 'unchecked' when our own network or name
   *   service does not work: then it says nothing about the proof.
   */
  look(method: PublishedMethod, subject: string, token: string): Promise<NotProven | 'unchecked' | null>;
}
