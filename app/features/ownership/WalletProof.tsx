import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure, failureText } from '#app/lib/api/failure.ts';
import { isLost } from '#app/lib/api/lost-answer.ts';
import { verifyAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { ownershipTexts } from '#app/lib/messages/ownership.ts';
import { notify } from '#app/lib/notices/notify.ts';
import type { BrowserWallet } from '#app/lib/session/wallet.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { OwnershipOverview, TokenRecord } from '#contract/domains/ownership.ts';
import { useProofFailure } from './failure-text.ts';

/** When the valid proof by wallet was last made; undefined when there is none. */
const provenAt = ({ proofs }: OwnershipOverview) =>
  proofs.find(({ method, state }) => method === 'wallet' && state === 'valid')?.provenAt;

/** Signs with a wallet of this browser; no wallet code is loaded or called before the button is pressed. */
export function WalletProof({ record, network }: { record: TokenRecord; network: string }) {
  const text = useText(ownershipTexts);
  const messages = text.ownership;
  const failure = useProofFailure();
  const queries = useQueryClient();
  const [wallets, setWallets] = useState<BrowserWallet[] | null>(null);
  const check = useMutation({
    mutationFn: async () => {
      const { findWallets } = await import('#app/lib/session/wallet.ts');
      return findWallets(network);
    },
    onSuccess: (found) => {
      setWallets(found);
      const [only] = found;
      if (only && found.length === 1) sign.mutate(only);
    },
  });
  const sign = useMutation({
    mutationFn: async (wallet: BrowserWallet) => {
      const address = await wallet.connect();
      const { nonce, message } = await client.ownership.startWallet({ ...record, address });
      const signature = await wallet.sign(message, address);
      const before = provenAt(await client.ownership.mine(record));
      await verifyAfterLostAnswer<unknown>(
        () => client.ownership.proveWallet({ nonce, signature }),
        async () => {
          const now = provenAt(await client.ownership.mine(record));
          return now && now !== before ? now : undefined;
        },
      );
    },
    onSuccess: () => {
      notify.success({ title: messages.done });
      return queries.invalidateQueries({ queryKey: rpc.ownership.key() });
    },
  });
  const { error } = sign;
  // All other errors come from the wallet.
  const fromServer =
    error !== null &&
    (isLost(error) || error instanceof ApiFailure || typeof (error as { code?: unknown }).code === 'string');
  return (
    <>
      {wallets?.length === 0 ? <p role="alert">{messages.noWallets}</p> : null}
      {check.error || error ? (
        <p role="alert" className="text-coral-text">
          {check.error ? failureText(check.error, text) : fromServer ? failure(error) : messages.declined}
        </p>
      ) : null}
      <div className="flex flex-wrap gap-3">
        {wallets && wallets.length > 1 ? (
          wallets.map((wallet) => (
            <Button
              key={wallet.id}
              busy={sign.isPending && sign.variables === wallet}
              busyLabel={messages.signing}
              disabled={sign.isPending}
              onClick={() => sign.mutate(wallet)}
            >
              {messages.signWith(wallet.name)}
            </Button>
          ))
        ) : (
          <Button busy={check.isPending || sign.isPending} busyLabel={messages.signing} onClick={() => check.mutate()}>
            {messages.sign}
          </Button>
        )}
      </div>
    </>
  );
}
