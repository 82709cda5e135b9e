// Deposits whose money the team sent back, with the amount that had arrived of each.
import { toFixedPoint } from '#server/lib/fixed-point.ts';
import type { Deposit } from '#server/providers/payments/port.ts';

interface SentBack {
  sentBack: string[];
  straysBack: string[];
  sentBackAmounts: Record<string, string>;
  sentBackAt: number;
}

/** All money of these deposits was sent back. `stray`: they do not pay for the order; other money does. */
export interface SentBackFact {
  at: number;
  of: string[];
  amounts: Record<string, string>;
  stray?: true;
}

const union = (some: readonly string[], more: readonly string[]) => [...new Set([...some, ...more])].toSorted();

/** Adds the fact that money was sent back; the result does not depend on the order of such facts. */
export const addSentBack = <Known extends SentBack>(known: Known, { at, of, amounts, stray }: SentBackFact): Known => ({
  ...known,
  ...(stray ? { straysBack: union(known.straysBack, of) } : { sentBack: union(known.sentBack, of) }),
  sentBackAmounts: largerAmounts(known.sentBackAmounts, amounts),
  sentBackAt: Math.max(known.sentBackAt, at),
});

/** The larger amount of each deposit, in a fixed order of the deposits and of equal amounts. */
function largerAmounts(a: Record<string, string>, b: Record<string, string>): Record<string, string> {
  const ids = [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted();
  const of = (id: string): string => {
    const [one = '0', other = '0'] = [a[id], b[id]];
    const difference = toFixedPoint(one) - toFixedPoint(other) || (one > other ? 1n : -1n);
    return difference > 0n ? one : other;
  };
  return Object.fromEntries(ids.map((id) => [id, of(id)]));
}

/** True when the team sent back all that had arrived of a deposit. */
export const isBack = ({ sentBack, straysBack }: Pick<SentBack, 'sentBack' | 'straysBack'>, { paymentId }: Deposit) =>
  sentBack.includes(paymentId) || straysBack.includes(paymentId);

/** True when more of a deposit arrived after the team had sent back all that had arrived of it. */
export function hasGrown({ paymentId, paidText, actuallyPaid }: Deposit, amounts: Record<string, string>): boolean {
  const sent = amounts[paymentId];
  return sent !== undefined && toFixedPoint(paidText ?? String(actuallyPaid ?? 0)) > toFixedPoint(sent);
}
