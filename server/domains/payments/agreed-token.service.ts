import { createHash } from 'node:crypto';
import type { DraftData } from '#contract/domains/token-requests.ts';
import { checksummed } from '#contract/fields/evm-checksum.ts';

/** What of a token its payer pays for: on which network, who gets it, and how it is called. */
export interface AgreedToken {
  /** As requests name it. */
  network: string;
  owner: string;
  name: string;
  symbol: string;
}

const EVM = /^0x[0-9a-fA-F]{40}$/;
const text = (typed: string) => typed.trim().normalize('NFC');
/** Where letters carry no meaning their case may differ. */
const address = (typed: string) => (EVM.test(typed.trim()) ? checksummed(typed.trim()) : typed.trim());

/** The same token in the same form, however it was typed. */
export const agreedToken = ({ network, owner, name, symbol }: AgreedToken): AgreedToken => ({
  network,
  owner: address(owner),
  name: text(name),
  symbol: text(symbol),
});

/** What a request says of its token. */
export const requestedToken = (
  data: Partial<Pick<DraftData, 'tokenName' | 'tokenSymbol' | 'ownerWalletAddress' | 'selectedNetwork'>>,
): AgreedToken =>
  agreedToken({
    network: data.selectedNetwork ?? '',
    owner: data.ownerWalletAddress ?? '',
    name: data.tokenName ?? '',
    symbol: data.tokenSymbol ?? '',
  });

/** SHA-256 over what was agreed, in base64url: 43 characters that stand at the provider beside the order. */
export function agreementHash(token: AgreedToken): string {
  const { network, owner, name, symbol } = agreedToken(token);
  return createHash('sha256')
    .update(JSON.stringify([network, owner, name, symbol]))
    .digest('base64url');
}

/** Whether two are the same token. */
export const isSameToken = (one: AgreedToken, other: AgreedToken): boolean =>
  agreementHash(one) === agreementHash(other);
