import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { ownershipTexts } from '#app/lib/messages/ownership.ts';
import { notify } from '#app/lib/notices/notify.ts';
import type { BrowserWallet } from '#app/lib/session/wallet.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { TokenRecord } from '#contract/domains/ownership.ts';
import { useProofFailure } from './failure-text.ts';

/** Signs with a wallet of this browser; no wallet code is loaded or called before the button is pressed. */
export function WalletProof({ record, network }: { record: TokenRecord; network: string }) {
  const messages = useText(ownershipTexts).ownership;
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
      return client.ownership.proveWallet({ nonce, signature });
    },
    onSuccess: () => {
      notify.success({ title: messages.done });
      return queries.invalidateQueries({ queryKey: rpc.ownership.key() });
    },
  });
  const { error } = sign;
  const fromServer = error instanceof ApiFailure || typeof (error as { code?: unknown } | null)?.code === 'string';
  return (
    <>
      {wallets?.length === 0 ? <p role="alert">{messages.noWallets}</p> : null}
      {error ? (
        <p role="alert" className="text-coral-text">
          {fromServer ? failure(error) : messages.declined}
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
