/**
 * Every network of tokens, wallets and market data, as requests, records and tables name it. What one more network needs:
 * docs/adding-a-network.md.
 */
export const NETWORKS = ['solana', 'ethereum', 'bnb', 'polygon'] as const;
export type Network = (typeof NETWORKS)[number];

/** Chain ids by EIP-155, of all networks but Solana. */
export const EVM_CHAIN_IDS: Readonly<Record<Exclude<Network, 'solana'>, number>> = {
  ethereum: 1,
  bnb: 56,
  polygon: 137,
};

/** BNB Smart Chain is 'bnb' in requests and 'binance' in token creation, the signer and its variables (AMB-55). */
type InCreation<N extends Network> = N extends 'bnb' ? 'binance' : N;
type EachInCreation<T extends readonly Network[]> = { [K in keyof T]: InCreation<T[K]> };
export type TokenNetwork = InCreation<Network>;
export type EvmTokenNetwork = Exclude<TokenNetwork, 'solana'>;

const inCreation = (network: Network): TokenNetwork => (network === 'bnb' ? 'binance' : network);

/** The same networks as named by token creation and the signer. */
export const TOKEN_NETWORKS = NETWORKS.map(inCreation) as readonly TokenNetwork[] as EachInCreation<typeof NETWORKS>;

/** Name in token creation of a request's network; null for networks without token creation. */
export function creatableOn(network: string): TokenNetwork | null {
  const known = NETWORKS.find((one) => one === network);
  return known ? inCreation(known) : null;
}

/** Name in requests, records and wallets of a network of token creation. */
export const requestNetworkOf = (network: TokenNetwork): Network => (network === 'binance' ? 'bnb' : network);

/** Chain id of an EVM network of token creation. */
export const chainIdOf = (network: EvmTokenNetwork): number => EVM_CHAIN_IDS[network === 'binance' ? 'bnb' : network];
