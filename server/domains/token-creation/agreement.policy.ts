import type { DraftData } from '#contract/domains/token-requests.ts';
import { AGREED_FIELDS, type AgreedField } from '#contract/fields/token-form.ts';
import { requestNetworkOf } from '#contract/networks.ts';
import { type AgreedToken, agreedToken, requestedToken } from '#server/domains/payments/orders/agreed-token.service.ts';
import type { Snapshot } from './snapshot.policy.ts';

type Named = Pick<Snapshot, 'name' | 'symbol' | 'owner' | 'network'>;

/** The properties of a snapshot that the payer agrees to. */
export const tokenIn = ({ network, owner, name, symbol }: Named): AgreedToken =>
  agreedToken({ network: requestNetworkOf(network), owner, name, symbol });

/** Differences between a token and the paid request, in the fields that the payer agreed to. */
export function differencesOf(
  request: Pick<DraftData, 'tokenName' | 'tokenSymbol' | 'ownerWalletAddress' | 'selectedNetwork'>,
  snapshot: Named,
): AgreedField[] {
  const [requested, made] = [requestedToken(request), tokenIn(snapshot)];
  const same: Record<AgreedField, boolean> = {
    network: requested.network === made.network,
    ownerWallet: requested.owner === made.owner,
    tokenName: requested.name === made.name,
    tokenSymbol: requested.symbol === made.symbol,
  };
  return AGREED_FIELDS.filter((field) => !same[field]);
}
