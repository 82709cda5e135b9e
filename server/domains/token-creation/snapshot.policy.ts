import { createHash } from 'node:crypto';
import { checksummed } from '#contract/evm-checksum.ts';
import { METADATA_URL_BYTES } from '#contract/limits.ts';
import { decimalsOn, type TokenInput } from '#contract/token-form.ts';
import type { ChainNetwork, TokenOrder } from '#server/providers/chains/port.ts';

/** What a token will be, frozen when it was ordered. All of it text, so that it is the same in every program. */
export interface Snapshot {
  /** Of this form. */
  version: '1';
  requestId: string;
  network: ChainNetwork;
  name: string;
  symbol: string;
  /** Whole tokens. */
  supply: string;
  decimals: string;
  owner: string;
  metadataUrl: string;
}

/** Where wallets read a token's name, description and image; the same for ever, because it stands on the chain. */
export const metadataUrlOf = (publicUrl: string, requestId: string): string =>
  `${publicUrl}/token-metadata/${requestId}.json`;

/** Whether wallets can use such an address: on a chain with real money it has to be https. */
export const isMetadataUrlFit = (url: string, production: boolean): boolean =>
  Buffer.byteLength(url) <= METADATA_URL_BYTES && (!production || url.startsWith('https://'));

export const snapshotOf = (input: TokenInput, publicUrl: string): Snapshot => ({
  version: '1',
  requestId: input.requestId.toLowerCase(),
  network: input.network,
  name: input.tokenName,
  symbol: input.tokenSymbol,
  // '0010' and '10' are the same token.
  supply: String(BigInt(input.totalSupply)),
  decimals: String(decimalsOn(input.network)),
  owner: input.network === 'solana' ? input.ownerWallet : checksummed(input.ownerWallet),
  metadataUrl: metadataUrlOf(publicUrl, input.requestId.toLowerCase()),
});

/** SHA-256 over the values by name, whatever order they are stored in. */
export const hashOf = (snapshot: object): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(snapshot).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .digest();

/** The order as a chain takes it. */
export const orderOf = ({ requestId, name, symbol, supply, owner, metadataUrl }: Snapshot): TokenOrder => ({
  requestId,
  name,
  symbol,
  supply: BigInt(supply),
  owner,
  metadataUrl,
});
