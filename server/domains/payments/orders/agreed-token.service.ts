import { createHash } from 'node:crypto';
import type { DraftData } from '#contract/domains/token-requests.ts';
import { checksummed } from '#contract/fields/evm-checksum.ts';

/** The properties of a token that its payer agrees to when paying: network, owner, name and symbol. */
export interface AgreedToken {
  /** Network in the form that requests store. */
  network: string;
  owner: string;
  name: string;
  symbol: string;
}

const EVM = /^0x[0-9a-fA-F]{40}$/;
const text = (typed: string) => typed.trim().normalize('NFC');
/** EVM addresses are case-insensitive and are normalized to their checksum form; other addresses are case-sensitive. */
const address = (typed: string) => (EVM.test(typed.trim()) ? checksummed(typed.trim()) : typed.trim());

/** The token in normalized form, independent of how it was typed. */
export const agreedToken = ({ network, owner, name, symbol }: AgreedToken): AgreedToken => ({
  network,
  owner: address(owner),
  name: text(name),
  symbol: text(symbol),
});

/** The token that the data of a request describes. */
export const requestedToken = (
  data: Partial<Pick<DraftData, 'tokenName' | 'tokenSymbol' | 'ownerWalletAddress' | 'selectedNetwork'>>,
): AgreedToken =>
  agreedToken({
    network: data.selectedNetwork ?? '',
    owner: data.ownerWalletAddress ?? '',
    name: data.tokenName ?? '',
    symbol: data.tokenSymbol ?? '',
  });

/** SHA-256 of the agreed token in base64url: 43 characters, sent to the provider in the description of the order. */
export function agreementHash(token: AgreedToken): string {
  const { network, owner, name, symbol } = agreedToken(token);
  return createHash('sha256')
    .update(JSON.stringify([network, owner, name, symbol]))
    .digest('base64url');
}

/** True when both describe the same token. */
export const isSameToken = (one: AgreedToken, other: AgreedToken): boolean =>
  agreementHash(one) === agreementHash(other);
