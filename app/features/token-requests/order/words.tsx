import { type Locale, TAG } from '#app/lib/format.ts';
import type { Tone } from '#app/ui/Badge.tsx';
import type { Order, OrderStage, PaymentState } from '#contract/token-requests.ts';

/** An amount of US dollars without its unit: 1.500 or 600,25. */
export const usdOf = (amount: number, locale: Locale): string =>
  new Intl.NumberFormat(TAG[locale], {
    useGrouping: 'always',
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    maximumFractionDigits: 2,
  } as Intl.NumberFormatOptions).format(amount);

/** An amount of a coin: all of its digits, and never 1e-7. */
export const coinOf = (amount: number, currency: string | null): string => {
  const plain = amount.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
  return currency ? `${plain} ${currency.toUpperCase()}` : plain;
};

export type Situation = PaymentState | 'draft' | 'accepted' | 'creating' | 'created' | 'delivered' | 'cancelled';

/** Which words an order gets: one for every state a payer can find it in. */
export function situationOf({ stage, payment, accepted, closure }: Order): Situation {
  if (stage === 'closed') return closure?.as ?? 'cancelled';
  if (stage === 'draft' || stage === 'creating' || stage === 'created') return stage;
  if (stage === 'in_review') return 'under_review';
  if (accepted && stage === 'paid') return 'accepted';
  return payment?.state ?? 'draft';
}

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
