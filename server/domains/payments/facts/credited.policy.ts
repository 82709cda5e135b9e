// What the provider credited for deposits, and which of them it completed or failed.
import type { Deposit, Outcome } from '#server/providers/payments/port.ts';

interface Credited {
  outcomes: Record<string, Outcome & { at: number }>;
  completed: string[];
  failed: string[];
}

/** Adds an answer about the credited amount. The later of two answers counts: also a total order. */
export function addOutcome<Known extends Credited>(known: Known, { paymentId, outcome, updatedAt }: Deposit): Known {
  if (!outcome) return known;
  const candidate = { ...outcome, at: updatedAt };
  const before = known.outcomes[paymentId];
  const later =
    !before ||
    candidate.at > before.at ||
    (candidate.at === before.at && JSON.stringify(candidate) > JSON.stringify(before));
  return later ? { ...known, outcomes: { ...known.outcomes, [paymentId]: candidate } } : known;
}

/** True when an answer about the credited amount has nothing new. */
export const isOutcomeKnown = (known: Credited, { paymentId, outcome }: Deposit): boolean => {
  const before = known.outcomes[paymentId];
  return !outcome || (before?.amount === outcome.amount && before.currency === outcome.currency);
};

const add = (ids: readonly string[], id: string) => [...new Set([...ids, id])].toSorted();

/** Adds a deposit that the provider reports as completed or failed, whatever it reports later. */
export function addEnd<Known extends Credited>(known: Known, { paymentId, status }: Deposit): Known {
  if (status === 'finished' || status === 'partially_paid')
    return { ...known, completed: add(known.completed, paymentId) };
  if (status === 'failed' || status === 'expired') return { ...known, failed: add(known.failed, paymentId) };
  return known;
}

/**
 * True for a returned deposit that had counted before. One that failed and was never completed had not. One of which only the return was
 * observed, because earlier reports were lost, had: the provider returns only what it completed.
 */
export const hasCounted = ({ completed, failed }: Credited, { paymentId, status }: Deposit): boolean =>
  status === 'refunded' && (completed.includes(paymentId) || !failed.includes(paymentId));
