import { cents, type Locale, TAG } from '#app/lib/format/format.ts';
import type { Tone } from '#app/ui/layout/Badge.tsx';
import type { AdminTokenRequestRow } from '#contract/admin/token-requests.ts';
import type { OrderDeposit } from '#contract/domains/payments.ts';

/** US dollars with their cents: 25,50 USD. */
export const usd = (amount: number, locale: Locale): string => `${cents(amount, locale)} USD`;

/** A part arrived, and nobody took it for enough. */
export const isShort = ({ paymentState, acceptedAt }: AdminTokenRequestRow): boolean =>
  paymentState === 'partially_paid' && acceptedAt === null;

/** Why a payment came to nothing, where it did not fail: it was sent back, or nobody paid in time. */
const endedAs = ({ paymentStatus, paymentState }: AdminTokenRequestRow): 'refunded' | 'expired' | null =>
  paymentStatus === 'failed' && (paymentState === 'refunded' || paymentState === 'expired') ? paymentState : null;

interface PaymentWords {
  partial: string;
  acceptedShort: string;
  payment: Record<AdminTokenRequestRow['paymentStatus'], string>;
  detail: { state: Record<'refunded' | 'expired', string> };
}

/** How the payment of a request stands: never 'paid' for what is short, never 'failed' for what was sent back or ran out. */
export function paymentWord(row: AdminTokenRequestRow, messages: PaymentWords): string {
  if (isShort(row)) return messages.partial;
  const ended = endedAs(row);
  if (ended) return messages.detail.state[ended];
  return row.acceptedAt ? messages.acceptedShort : messages.payment[row.paymentStatus];
}

/** The colour beside that word. */
export const paymentTone = (row: AdminTokenRequestRow): Tone =>
  isShort(row) ? 'coral' : endedAs(row) ? 'neutral' : row.acceptedAt ? 'lead' : TONE[row.paymentStatus];

const TONE: Record<AdminTokenRequestRow['paymentStatus'], Tone> = {
  completed: 'mint',
  pending: 'neutral',
  failed: 'coral',
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
export const providerWord = (status: string, text: { provider: Record<OrderDeposit['status'], string> }): string =>
  text.provider[status as OrderDeposit['status']] ?? status;
