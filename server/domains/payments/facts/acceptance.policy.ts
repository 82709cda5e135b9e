// An admin's acceptance of the money that arrived for an order, and the deposits that it covers.
import type { Deposit } from '#server/providers/payments/port.ts';

export interface Acceptance {
  /** Milliseconds. */
  at: number;
  by: string;
  reason: string;
  /** Deposits that had money at the time of the acceptance. */
  of: string[];
  /** None of them was on its way, unless for too long. Missing in acceptances of earlier versions, which covered money on its way too. */
  ended?: true;
}

/** The later of two acceptances counts: an earlier one may be about deposits that were returned. Also a total order. */
export function laterAcceptance(known: Acceptance | null, fact: Acceptance): Acceptance {
  const { at, by, reason, of, ended } = fact;
  const acceptance = { at, by, reason, of: of.toSorted(), ...(ended ? { ended } : {}) };
  const isLater = !known || at > known.at || (at === known.at && JSON.stringify(acceptance) > JSON.stringify(known));
  return known && !isLater ? known : acceptance;
}

/**
 * True when an acceptance is about a deposit in its present state: one of an earlier version is about neither money that is on its way nor
 * money that the provider reported as failed afterwards.
 */
export function isAbout(acceptance: Acceptance, { paymentId, status, updatedAt }: Deposit): boolean {
  if (!acceptance.of.includes(paymentId)) return false;
  if (acceptance.ended) return true;
  if (status === 'failed' || status === 'expired') return updatedAt <= acceptance.at;
  return status === 'finished' || status === 'partially_paid' || status === 'unknown';
}
