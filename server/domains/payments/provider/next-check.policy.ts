import type { PaymentState } from '#contract/domains/payments.ts';
import { depositIds, isSettled, isUnderWay, type KnownFacts } from '#server/domains/payments/facts/reduce.policy.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How long after the end of the watch period to wait for a deposit that began before it. Milliseconds. */
export const MAX_CONFIRMATION = 7 * 24 * HOUR;

/**
 * Time of the next poll of the provider; null for never. The interval is short while money is on its way and grows with the age of
 * the order until `watchUntil`: the provider accepts deposits after the expiry without sending a callback.
 *
 * @param times.polledAt when the provider last answered completely; 0 for never. Polling does not stop before it answered at the
 *   end.
 * @param knownFacts an order for which no coin was chosen is polled rarely: it was probably abandoned.
 */
export function nextCheck(
  state: PaymentState,
  times: { now: number; createdAt: number; expiresAt: number; watchUntil: number; polledAt: number },
  knownFacts: KnownFacts,
): number | null {
  const underWay = isUnderWay(knownFacts);
  const { now } = times;
  // Polling goes on for money that is on its way at the end, and until the last answer was received.
  const open = underWay || times.polledAt < times.watchUntil;
  const until = open ? times.watchUntil + MAX_CONFIRMATION : times.watchUntil;
  if (now >= until) return null;
  if (now >= times.watchUntil) return Math.min(now + 6 * HOUR, until);
  const age = now - times.createdAt;
  // Callbacks are faster; polling only covers lost ones.
  const begun = depositIds(knownFacts).length > 0;
  const max = maxInterval(state, age, begun);
  // A settled order can only change by a refund, and a refunded one by an unexpected payment.
  const pause = isSettled(state) || state === 'refunded' ? 24 * HOUR : Math.min(Math.max(age / 10, MINUTE), max);
  const next = now + pause;
  // One poll exactly at the expiry, so that the state 'expired' is not hours late.
  const due = now < times.expiresAt && next > times.expiresAt ? times.expiresAt : next;
  return Math.min(due, times.watchUntil);
}

function maxInterval(state: PaymentState, age: number, begun: boolean): number {
  if (state === 'confirming') return 10 * MINUTE;
  if (state !== 'awaiting') return begun ? 6 * HOUR : 24 * HOUR;
  if (age < 48 * HOUR) return begun ? 15 * MINUTE : HOUR;
  return begun ? HOUR : 6 * HOUR;
}
