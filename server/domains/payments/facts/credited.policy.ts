// What the provider credited for deposits, and which of them it completed.
import type { Deposit, Outcome } from '#server/providers/payments/port.ts';

interface Credited {
  outcomes: Record<string, Outcome & { at: number }>;
  completed: string[];
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

/** Adds a deposit that the provider reports as completed, whatever it reports later. */
export const addCompleted = <Known extends Credited>(known: Known, { paymentId, status }: Deposit): Known =>
  status === 'finished' || status === 'partially_paid'
    ? { ...known, completed: [...new Set([...known.completed, paymentId])].toSorted() }
    : known;
