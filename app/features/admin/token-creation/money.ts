import { cents, type Locale, TAG } from '#app/lib/format/format.ts';
import type { Tone } from '#app/ui/layout/Badge.tsx';
import type { PaymentStage } from '#contract/admin/payments.ts';
import type { OrderDeposit } from '#contract/domains/payments.ts';

/** US dollars with cents: 25,50 USD. */
export const usd = (amount: number, locale: Locale): string => `${cents(amount, locale)} USD`;

/** Badge colour of a payment's stage. */
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

/** Groups digits of any length: 18 446 744 073 709 551 615. */
export const groupedDigits = (digits: string, locale: Locale): string =>
  new Intl.NumberFormat(TAG[locale]).format(BigInt(digits));

/** Base units as a decimal amount: '1.000.000,5'. Exact, with any number of digits. */
export function amountOf(units: string, decimals: number, locale: Locale): string {
  const padded = units.padStart(decimals + 1, '0');
  const whole = groupedDigits(padded.slice(0, padded.length - decimals), locale);
  const rest = padded.slice(padded.length - decimals).replace(/0+$/, '');
  return rest ? `${whole}${locale === 'es' ? ',' : '.'}${rest}` : whole;
}

/** Label of the provider's status of a deposit; an unknown status is shown as it is. */
export const providerStatusText = (
  status: string,
  text: { provider: Record<OrderDeposit['status'], string> },
): string => text.provider[status as OrderDeposit['status']] ?? status;
