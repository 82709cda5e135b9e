import { type FetchOptions, fetchJson, objectOf, positiveOf } from './fetch-json.ts';
import type { HolderProvider, MarketNetwork } from './port.ts';

const NETWORKS: Record<MarketNetwork, string> = {
  solana: 'solana',
  ethereum: 'eth',
  bnb: 'bsc',
  polygon: 'polygon_pos',
};
/** Maximum of a 32-bit integer, as in the database and the contract. */
const MAX_COUNT = 2_147_483_647;

/** GeckoTerminal's public API, for the number of holders only; needs no key. */
export function geckoTerminal(options: FetchOptions): HolderProvider {
  return {
    source: 'geckoterminal',
    async holders(network, address) {
      const answer = await fetchJson(
        options,
        `/networks/${NETWORKS[network]}/tokens/${encodeURIComponent(address)}/info`,
      );
      const attributes = objectOf(objectOf(objectOf(answer)['data'])['attributes']);
      const count = positiveOf(objectOf(attributes['holders'])['count']);
      return count !== null && Number.isInteger(count) && count <= MAX_COUNT ? count : null;
    },
  };
}
