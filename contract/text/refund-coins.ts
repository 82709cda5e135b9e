import { REFUND_CODES } from '../refund-assets.ts';
import { coinFrom } from './coins.ts';

const COINS = REFUND_CODES.map(coinFrom);
const networksOf = (symbol: string): Set<string> =>
  new Set(COINS.flatMap((coin) => (coin.symbol === symbol && coin.network ? [coin.network] : [])));

/** The coins that can be refunded, each with its networks, in both languages: 'BTC (Bitcoin), ETH (Ethereum, BNB Smart Chain)'. */
export const REFUND_COINS: string = [...new Set(COINS.map(({ symbol }) => symbol))]
  .map((symbol) => `${symbol} (${[...networksOf(symbol)].join(', ')})`)
  .join(', ');
