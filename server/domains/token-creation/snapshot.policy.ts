import { createHash } from 'node:crypto';
import { checksummed } from '#contract/fields/evm-checksum.ts';
import { decimalsOn, type TokenInput } from '#contract/fields/token-form.ts';
import { METADATA_URL_BYTES } from '#contract/limits.ts';
import type { TokenNetwork } from '#contract/networks.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import { contentHash, pinnedPath } from '#server/lib/pinned-files.ts';
import type { TokenOrder } from '#server/providers/chains/port.ts';

/** The data of a token, frozen when its payer is asked to confirm it. All values are text, so that every program hashes them alike. */
export interface Snapshot {
  /** Version of this format. */
  version: '2';
  requestId: string;
  network: TokenNetwork;
  name: string;
  symbol: string;
  /** Whole tokens. */
  supply: string;
  decimals: string;
  owner: string;
  /** Nobody may mint more, freeze or change the token after its creation. */
  authorities: 'none';
  /** SHA-256 of the image, in hex; '' without one. */
  picture: string;
  /** SHA-256 of the metadata for wallets, in hex. */
  metadata: string;
  /** Address of the metadata, which contains its hash. It is stored on the chain. */
  metadataUrl: string;
}

/** A snapshot of any version: fields that version '1' lacks are optional. */
interface AnySnapshot extends Omit<Snapshot, 'version' | 'authorities' | 'picture' | 'metadata'> {
  version: '1' | '2';
  authorities?: 'none';
  picture?: string;
  metadata?: string;
}

/** Token metadata for wallets. */
interface Metadata {
  name: string;
  symbol: string;
  description: string;
  /** Absolute; '' without one. */
  image: string;
}

/** Address at which wallets read a token's name, description and image. @param hash SHA-256 of the metadata, in hex. */
export const metadataUrlOf = (publicUrl: string, hash: string): string =>
  publicUrl + pinnedPath(hash, 'application/json');

/** True when wallets can use such an address: on a chain with real money it has to be https. */
export const isMetadataUrlFit = (url: string, production: boolean): boolean =>
  Buffer.byteLength(url) <= METADATA_URL_BYTES && (!production || url.startsWith('https://'));

/** The metadata in the serialization that is hashed. */
export const metadataBytes = ({ name, symbol, description, image }: Metadata): Buffer =>
  Buffer.from(JSON.stringify({ name, symbol, description, image }));

/** Metadata of a token for wallets. @param image SHA-256 of its image, in hex; '' without one. */
export const metadataOf = (
  { tokenName, tokenSymbol, description }: Pick<TokenInput, 'tokenName' | 'tokenSymbol' | 'description'>,
  publicUrl: string,
  picture: string,
): Metadata => ({
  name: tokenName,
  symbol: tokenSymbol,
  description: cleanText(description, 'text'),
  image: picture && publicUrl + pinnedPath(picture, 'image/png'),
});

/** The values of a snapshot that are entered by a person, normalized. */
export const typedOf = (input: TokenInput) => ({
  requestId: input.requestId.toLowerCase(),
  network: input.network,
  name: input.tokenName,
  symbol: input.tokenSymbol,
  // '0010' and '10' are the same token.
  supply: String(BigInt(input.totalSupply)),
  decimals: String(decimalsOn(input.network)),
  owner: input.network === 'solana' ? input.ownerWallet : checksummed(input.ownerWallet),
});

/** A snapshot of this input with its files. @param files hashes in hex; '' for no image. */
export const snapshotOf = (
  input: TokenInput,
  publicUrl: string,
  files: Pick<Snapshot, 'picture' | 'metadata'>,
): Snapshot => ({
  version: '2',
  ...typedOf(input),
  authorities: 'none',
  ...files,
  metadataUrl: metadataUrlOf(publicUrl, files.metadata),
});

/** True when a stored snapshot has the format that payers confirm, and the metadata matches its hash. */
export function isWhole(snapshot: AnySnapshot, metadata: Metadata | null): snapshot is Snapshot {
  if (snapshot.version !== '2' || metadata === null || snapshot.authorities !== 'none') return false;
  const { picture = '' } = snapshot;
  return (
    snapshot.metadata === contentHash(metadataBytes(metadata)) &&
    snapshot.metadataUrl.endsWith(pinnedPath(snapshot.metadata, 'application/json')) &&
    metadata.name === snapshot.name &&
    metadata.symbol === snapshot.symbol &&
    (picture === '' ? metadata.image === '' : metadata.image.endsWith(pinnedPath(picture, 'image/png')))
  );
}

/** SHA-256 over the values by name, independent of their stored order. */
export const hashOf = (snapshot: object): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(snapshot).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .digest();

/** The order in the form for a chain adapter. */
export const orderOf = ({ requestId, name, symbol, supply, owner, metadataUrl }: AnySnapshot): TokenOrder => ({
  requestId,
  name,
  symbol,
  supply: BigInt(supply),
  owner,
  metadataUrl,
});
