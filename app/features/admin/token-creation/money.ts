import { cents, type Locale, TAG } from '#app/lib/format.ts';

/** US dollars with their cents: 25,50 USD. */
export const usd = (amount: number, locale: Locale): string => `${cents(amount, locale)} USD`;

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
