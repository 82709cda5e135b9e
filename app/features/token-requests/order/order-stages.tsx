import { cents } from '#app/lib/format/format.ts';
import type { Tone } from '#app/ui/layout/Badge.tsx';
import type { OtherPayment, PaymentState } from '#contract/domains/payments.ts';
import type { Order, OrderStage } from '#contract/domains/token-requests.ts';
import { SMALLEST_SHARE } from '#contract/limits.ts';

/** An amount of US dollars without its unit: 1.500,00 or 600,25. */
export const usdOf = cents;

export type OrderSituation =
  | PaymentState
  | 'draft'
  | 'on_hold'
  | 'accepted'
  | 'going_back'
  | 'all_going_back'
  | 'sent_back'
  | 'creating'
  | 'created'
  | 'delivered'
  | 'cancelled';

/** Key of an order's messages: one for every state that a payer can see. */
export function situationOf(order: Order): OrderSituation {
  const { stage, payment, accepted, closure, otherPayments, refunds } = order;
  if (stage === 'closed') return closure?.as ?? 'cancelled';
  if (stage === 'draft' || stage === 'creating' || stage === 'created') return stage;
  if (stage === 'in_review') return 'under_review';
  // When all of the money goes back, no token is prepared: the page must not say so.
  if (stage === 'paid' && goesBackWhole(order)) return 'all_going_back';
  if (accepted && stage === 'paid') return 'accepted';
  // The same page says that nothing else should be paid now: it must not ask for the payment below.
  if (stage === 'awaiting_payment' && otherPayments.some(isWaiting)) return 'on_hold';
  // The team sent the money back: for the provider it is still paid.
  if (stage === 'refunded' && payment?.state !== 'refunded') return 'sent_back';
  // What arrived is being given back: the page must not ask for the rest.
  const goesBack = refunds.some(({ orderId, state }) => orderId === payment?.orderId && state !== 'withdrawn');
  if (stage === 'partially_paid' && goesBack) return 'going_back';
  // The difference is on its way or was sent: nobody has to write about it.
  if (payment?.state === 'overpaid' && goesBack) return 'paid';
  return payment?.state ?? 'draft';
}

/** The amounts of a payment are rounded, those of its refunds are not. */
const ROUNDING = 1e-9;

/** True for less than a hundredth of what was due for a deposit. */
const isDust = ({ amount, due }: Order['deposits'][number]) => due !== null && (amount ?? 0) < due * SMALLEST_SHARE;

/** True when the refunds of a payment, open or sent, cover all that arrived in each of its coins; deposits that `isDust` may stay. */
function goesBackWhole({ payment, deposits, refunds }: Order): boolean {
  const arrived = new Map<string, number>();
  for (const { amount, currency } of deposits.filter((one) => one.status !== 'refunded' && !isDust(one)))
    if (amount && currency) arrived.set(currency.toLowerCase(), (arrived.get(currency.toLowerCase()) ?? 0) + amount);
  const back = new Map<string, number>();
  for (const { orderId, asset, amount, state, byProvider } of refunds)
    if (orderId === payment?.orderId && state !== 'withdrawn' && !byProvider)
      back.set(asset, (back.get(asset) ?? 0) + Number(amount));
  return arrived.size > 0 && [...arrived].every(([coin, sum]) => (back.get(coin) ?? 0) >= sum * (1 - ROUNDING));
}

/** True when another payment is being confirmed or reviewed: nothing else should be paid meanwhile. */
export const isWaiting = ({ state }: OtherPayment): boolean =>
  state === 'awaiting' || state === 'confirming' || state === 'under_review';

export const TONES: Record<OrderStage, Tone> = {
  draft: 'neutral',
  awaiting_payment: 'lead',
  confirming: 'sky',
  partially_paid: 'lead',
  paid: 'mint',
  in_review: 'sky',
  expired: 'neutral',
  failed: 'coral',
  refunded: 'neutral',
  creating: 'sky',
  created: 'mint',
  closed: 'neutral',
};
