import { coinFrom } from '#contract/text/coins.ts';
import { coins, type Locale } from './format.ts';

/**
 * An amount with its currency and network as text: all of its digits, in the format of the page's language, and never 1e-7.
 * @param amount as a number, or in the format of the API: '0.01'; null is 0.
 * @param on the catalogue's text: 'USDT en la red Tron'.
 */
export function amountInCoin(
  amount: number | string | null,
  code: string | null,
  locale: Locale,
  on: (symbol: string, network: string) => string,
): string {
  const figure = coins(amount ?? 0, locale);
  return code ? `${figure} ${coinText(code, on)}` : figure;
}

/** Amounts of several currencies in the format of the API: '0.5 eth, 2 usdttrc20'. Empty when there are none. */
export const amountsInCoins = (list: string, locale: Locale, on: (symbol: string, network: string) => string): string =>
  list
    .split(', ')
    .filter((one) => one !== '')
    .map((one) => amountInCoin(one.split(' ')[0] ?? '', one.split(' ')[1] ?? null, locale, on))
    .join(' · ');

/** A currency with its network as text. */
export function coinText(code: string, on: (symbol: string, network: string) => string): string {
  const { symbol, network } = coinFrom(code);
  return network ? on(symbol, network) : symbol;
}

/**
 * True for a typed number with the thousands separator of the page's language where it cannot group anything else: 1.200 on a Spanish
 * page may be meant as 1200 or as 1.2.
 */
export const isAmbiguous = (typed: string, locale: Locale): boolean =>
  (locale === 'es' ? /^[1-9]\d{0,2}(\.\d{3})+$/ : /^[1-9]\d{0,2}(,\d{3})+$/).test(typed.trim());

/**
 * A typed amount with a point as decimal separator. Both separators are accepted.
 * @returns with spaces, which every schema refuses, when it is ambiguous.
 */
export function typedAmount(typed: string, locale: Locale): string {
  const text = typed.trim();
  return isAmbiguous(text, locale) ? text.replaceAll(/[.,]/g, ' ') : text.replace(',', '.');
}
