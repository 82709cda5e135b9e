import type { DraftData } from '#contract/domains/token-requests.ts';
import { AGREED_FIELDS, type AgreedField, requestNetworkOf } from '#contract/fields/token-form.ts';
import { type AgreedToken, agreedToken, requestedToken } from '#server/domains/payments/agreed-token.service.ts';
import type { Snapshot } from './snapshot.policy.ts';

type Named = Pick<Snapshot, 'name' | 'symbol' | 'owner' | 'network'>;

/** What a payer agrees to, of a snapshot. */
export const tokenIn = ({ network, owner, name, symbol }: Named): AgreedToken =>
  agreedToken({ network: requestNetworkOf(network), owner, name, symbol });

/** What of a token is not as in the request that was paid; these are the fields that its payer agreed to. */
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
