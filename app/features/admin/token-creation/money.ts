import { type Locale, whole } from '#app/lib/format.ts';

/** US dollars with their cents: 25,50 USD. */
export function usd(amount: number, locale: Locale): string {
  const cents = Math.round(amount * 100);
  const rest = String(cents % 100).padStart(2, '0');
  const dollars = whole(Math.floor(cents / 100), locale);
  return `${cents % 100 ? `${dollars}${locale === 'es' ? ',' : '.'}${rest}` : dollars} USD`;
}
