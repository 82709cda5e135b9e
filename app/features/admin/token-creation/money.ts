import { cents, type Locale, TAG } from '#app/lib/format/format.ts';
import type { Tone } from '#app/ui/layout/Badge.tsx';
import type { PaymentStage } from '#contract/admin/payments.ts';
import type { OrderDeposit } from '#contract/domains/payments.ts';

/** US dollars with their cents: 25,50 USD. */
export const usd = (amount: number, locale: Locale): string => `${cents(amount, locale)} USD`;

/** The colour of where a payment stands. */
export const STAGE_TONES: Record<PaymentStage, Tone> = {
  pending: 'neutral',
  under_review: 'coral',
  part_paid: 'coral',
  paid: 'mint',
  accepted: 'lead',
  failed: 'coral',
  expired: 'neutral',
  refunded: 'neutral',
};

/** Digits of any length, in groups: 18 446 744 073 709 551 615. */
export const groupedDigits = (digits: string, locale: Locale): string =>
  new Intl.NumberFormat(TAG[locale]).format(BigInt(digits));

/** Base units as people count: '1.000.000,5'. Exact, however many digits there are. */
export function amountOf(units: string, decimals: number, locale: Locale): string {
  const padded = units.padStart(decimals + 1, '0');
  const whole = groupedDigits(padded.slice(0, padded.length - decimals), locale);
  const rest = padded.slice(padded.length - decimals).replace(/0+$/, '');
  return rest ? `${whole}${locale === 'es' ? ',' : '.'}${rest}` : whole;
}

/** What the provider calls a deposit, in words; of an unknown word the word itself. */
export const providerStatusText = (
  status: string,
  text: { provider: Record<OrderDeposit['status'], string> },
): string => text.provider[status as OrderDeposit['status']] ?? status;
