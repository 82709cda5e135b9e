import { dexScreener } from './dexscreener.ts';
import { geckoTerminal } from './geckoterminal.ts';
import type { HolderProvider, PriceProvider } from './port.ts';

export interface MarketProviders {
  prices: PriceProvider;
  holders: HolderProvider;
}

/** The configured providers of market data; null if none is queried. */
export const openMarket = (env: {
  MARKET_DATA: boolean;
  DEXSCREENER_URL: string;
  GECKOTERMINAL_URL: string;
}): MarketProviders | null =>
  env.MARKET_DATA
    ? {
        prices: dexScreener({ baseUrl: env.DEXSCREENER_URL }),
        holders: geckoTerminal({ baseUrl: env.GECKOTERMINAL_URL }),
      }
    : null;
