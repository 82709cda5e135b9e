import { requestNetworkOf, type TokenNetwork } from '#contract/networks.ts';

/** Sets a request to the ordered data: for tests of later steps, as if its payer had requested exactly that. */
export async function alignRequestWithOrder(
  app: { sql(text: string, values: unknown[]): Promise<unknown> },
  token: { requestId: string; tokenName: string; tokenSymbol: string; network: TokenNetwork; ownerWallet: string },
): Promise<void> {
  const { requestId, tokenName, tokenSymbol, network, ownerWallet } = token;
  const agreed = {
    tokenName,
    tokenSymbol,
    selectedNetwork: requestNetworkOf(network),
    ownerWalletAddress: ownerWallet,
  };
  await app.sql('update token_creation_submissions set token_data = token_data || $2::jsonb where id = $1', [
    requestId,
    JSON.stringify(agreed),
  ]);
}
