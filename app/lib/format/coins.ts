import { coinFrom } from '#contract/text/coins.ts';
import { coins, type Locale } from './format.ts';

/**
 * An amount with its coin and network in words: all of its digits, as the page's language writes them, and never 1e-7.
 *
 * @param amount as a number, or as the API writes it: '0.01'; none is 0.
 * @param on the catalogue's words: 'USDT en la red Tron'.
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

/** Amounts of several coins, as the API writes them: '0.5 eth, 2 usdttrc20'. Empty for none. */
export const amountsInCoins = (list: string, locale: Locale, on: (symbol: string, network: string) => string): string =>
  list
    .split(', ')
    .filter((one) => one !== '')
    .map((one) => amountInCoin(one.split(' ')[0] ?? '', one.split(' ')[1] ?? null, locale, on))
    .join(' · ');

/** A coin with its network in words. */
export function coinText(code: string, on: (symbol: string, network: string) => string): string {
  const { symbol, network } = coinFrom(code);
  return network ? on(symbol, network) : symbol;
}

/**
 * An amount as somebody typed it, with a point before its decimals. Both signs may stand there; the one that groups thousands
 * in the page's language only where it cannot be grouping: 1.200 on a Spanish page is 1200 for one and 1.2 for another reader.
 *
 * @returns with blanks, which no schema takes, where it can be read in two ways.
 */
export function typedAmount(typed: string, locale: Locale): string {
  const text = typed.trim();
  const grouped = locale === 'es' ? /^[1-9]\d{0,2}(\.\d{3})+$/ : /^[1-9]\d{0,2}(,\d{3})+$/;
  return grouped.test(text) ? text.replaceAll(/[.,]/g, ' ') : text.replace(',', '.');
}
