import { cents, coins, type Locale } from '#app/lib/format.ts';
import type { Tone } from '#app/ui/Badge.tsx';
import type { Order, OrderStage, PaymentState } from '#contract/token-requests.ts';

/** An amount of US dollars without its unit: 1.500,00 or 600,25. */
export const usdOf = cents;

/** An amount of a coin with its unit: 0,25 SOL. */
export const coinOf = (amount: number, currency: string | null, locale: Locale): string =>
  currency ? `${coins(amount, locale)} ${currency.toUpperCase()}` : coins(amount, locale);

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
