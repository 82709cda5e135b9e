import type { PaymentState } from '#contract/domains/payments.ts';
import { depositIds, isSettled, isUnderWay, type Ledger } from './reduce.policy.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How long a deposit that began before the end of the watch is waited for after it. Milliseconds. */
const MAX_CONFIRMATION = 7 * 24 * HOUR;

/**
 * When to ask the provider again by ourselves; null for never. Soon while something is under way, then less and less often,
 * until `watchUntil`: a deposit is taken even after the end, and then nobody calls back.
 *
 * @param times.askedAt when the provider last answered all that was asked; 0 for never. Nothing is given up before it
 *   answered at the end.
 * @param ledger an order at which nobody chose a coin is asked about rarely: that is one that was abandoned.
 */
export function nextCheck(
  state: PaymentState,
  times: { now: number; createdAt: number; expiresAt: number; watchUntil: number; askedAt: number },
  ledger: Ledger,
): number | null {
  const underWay = isUnderWay(ledger);
  const { now } = times;
  // Money that is on its way at the end is waited for, and so is the last answer.
  const open = underWay || times.askedAt < times.watchUntil;
  const until = open ? times.watchUntil + MAX_CONFIRMATION : times.watchUntil;
  if (now >= until) return null;
  if (now >= times.watchUntil) return Math.min(now + 6 * HOUR, until);
  const age = now - times.createdAt;
  // Callbacks are the quick way; this is for the lost ones.
  const begun = depositIds(ledger).length > 0;
  const most = longestPause(state, age, begun);
  // Of a settled one only a refund can follow, and of a refunded one a payment that nobody asked for.
  const pause = isSettled(state) || state === 'refunded' ? 24 * HOUR : Math.min(Math.max(age / 10, MINUTE), most);
  const next = now + pause;
  // Right at the end once more, so that 'expired' does not come hours late.
  const due = now < times.expiresAt && next > times.expiresAt ? times.expiresAt : next;
  return Math.min(due, times.watchUntil);
}

function longestPause(state: PaymentState, age: number, begun: boolean): number {
  if (state === 'confirming') return 10 * MINUTE;
  if (state !== 'awaiting') return begun ? 6 * HOUR : 24 * HOUR;
  if (age < 48 * HOUR) return begun ? 15 * MINUTE : HOUR;
  return begun ? HOUR : 6 * HOUR;
}
