import { amountOf, type FetchOptions, fetchJson, type Json, objectOf, positiveOf } from './fetch-json.ts';
import { MarketError, type MarketNetwork, type PriceProvider, type Quote } from './port.ts';

const CHAINS: Record<MarketNetwork, string> = {
  solana: 'solana',
  ethereum: 'ethereum',
  bnb: 'bsc',
  polygon: 'polygon',
};

/** DexScreener's public API; needs no key. Every field of a response may be missing. */
export function dexScreener(options: FetchOptions): PriceProvider {
  async function pairsAt(path: string, network: MarketNetwork): Promise<Json[]> {
    const answer = await fetchJson(options, path);
    if (answer === null) return [];
    if (!Array.isArray(answer)) throw new MarketError('away', 'DexScreener did not return a list');
    return answer.map(objectOf).filter((pair) => pair['chainId'] === CHAINS[network]);
  }

  return {
    source: 'dexscreener',
    max: 30,
    async prices(network, addresses) {
      const list = addresses.map(encodeURIComponent).join(',');
      const pairs = await pairsAt(`/tokens/v1/${CHAINS[network]}/${list}`, network);
      const found = addresses.flatMap((address) => {
        const own = pairs.filter((pair) => isAbout(pair, address));
        const { price, marketCap } = quoteOf(own);
        return price === null && marketCap === null
          ? []
          : [[address, { price, marketCap, volume24h: null, liquidity: null }] as const];
      });
      return new Map(found);
    },
    async pools(network, address) {
      const pairs = await pairsAt(`/token-pairs/v1/${CHAINS[network]}/${encodeURIComponent(address)}`, network);
      const own = pairs.filter((pair) => isAbout(pair, address));
      return own.length > 0 ? quoteOf(own) : null;
    },
  };
}

/** True if the token is the base of the pair; otherwise the price is that of the other token. */
function isAbout(pair: Json, address: string): boolean {
  const base = objectOf(pair['baseToken'])['address'];
  if (typeof base !== 'string') return false;
  // EVM addresses are returned in checksum case, so case is ignored; Solana addresses are case-sensitive.
  return address.startsWith('0x') ? base.toLowerCase() === address.toLowerCase() : base === address;
}

const liquidityOf = (pair: Json) => amountOf(objectOf(pair['liquidity'])['usd']);

/** The price of the pool with the highest liquidity; volume and liquidity of all pools together. */
function quoteOf(pairs: Json[]): Quote {
  const deepest = pairs
    .filter((pair) => positiveOf(pair['priceUsd']) !== null)
    .toSorted((a, b) => (liquidityOf(b) ?? -1) - (liquidityOf(a) ?? -1))[0];
  return {
    price: positiveOf(deepest?.['priceUsd']),
    marketCap: positiveOf(deepest?.['marketCap']) ?? positiveOf(deepest?.['fdv']),
    volume24h: sumOf(pairs.map((pair) => amountOf(objectOf(pair['volume'])['h24']))),
    liquidity: sumOf(pairs.map(liquidityOf)),
  };
}

/** Sum of the known values; null if there is none, or it is no amount: a value that can't be stored would fail its token in every run. */
function sumOf(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? amountOf(known.reduce((sum, value) => sum + value, 0)) : null;
}
