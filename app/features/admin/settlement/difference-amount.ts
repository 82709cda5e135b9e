import { amountInCoin, amountsInCoins } from '#app/lib/format/coins.ts';
import type { Locale } from '#app/lib/format/format.ts';

/** One side of a difference: in the coin of the difference, or with a coin of its own where the two sides have different ones: '2000 eth'. */
export const differenceAmount = (
  amount: string,
  asset: string | null,
  locale: Locale,
  on: (symbol: string, network: string) => string,
): string => (amount.includes(' ') ? amountsInCoins(amount, locale, on) : amountInCoin(amount, asset, locale, on));
