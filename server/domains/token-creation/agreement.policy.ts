import { checksummed } from '#contract/evm-checksum.ts';
import { AGREED_FIELDS, type AgreedField, requestNetworkOf } from '#contract/token-form.ts';
import type { DraftData } from '#contract/token-requests.ts';
import type { Snapshot } from './snapshot.policy.ts';

const EVM = /^0x[0-9a-fA-F]{40}$/;
const sameText = (a: string, b: string) => a.trim().normalize('NFC') === b.trim().normalize('NFC');
/** Where letters carry no meaning their case may differ. */
const sameOwner = (a: string, b: string) => {
  const [one, other] = [a, b].map((owner) => (EVM.test(owner.trim()) ? checksummed(owner.trim()) : owner.trim()));
  return one === other;
};

/** What of a token is not as in the request that was paid; these are the fields that its payer agreed to. */
export function differencesOf(
  request: Pick<DraftData, 'tokenName' | 'tokenSymbol' | 'ownerWalletAddress' | 'selectedNetwork'>,
  snapshot: Pick<Snapshot, 'name' | 'symbol' | 'owner' | 'network'>,
): AgreedField[] {
  const same: Record<AgreedField, boolean> = {
    network: request.selectedNetwork === requestNetworkOf(snapshot.network),
    ownerWallet: sameOwner(request.ownerWalletAddress, snapshot.owner),
    tokenName: sameText(request.tokenName, snapshot.name),
    tokenSymbol: sameText(request.tokenSymbol, snapshot.symbol),
  };
  return AGREED_FIELDS.filter((field) => !same[field]);
}
