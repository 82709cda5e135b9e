import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { walletTexts } from '#app/lib/messages/wallets.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { type BrowserWallet, findAllWallets } from './wallet.ts';

interface WalletChoiceProps {
  /** Label of a wallet's button. */
  label: (name: string) => string;
  /** The wallet whose response is pending. */
  busy: BrowserWallet | undefined;
  /** Error message. */
  failure: string;
  onChoose: (wallet: BrowserWallet) => void;
}

/** Finds wallets in this browser, and lets the user choose one. Its code is loaded separately, on demand. */
export function WalletChoice({ label, busy, failure, onChoose }: WalletChoiceProps) {
  const messages = useText(walletTexts).wallets;
  const container = useRef<HTMLDivElement>(null);
  const search = useQuery({ queryKey: ['browser-wallets'], queryFn: findAllWallets, gcTime: 0, retry: false });
  const { data: wallets, isFetching } = search;
  useEffect(() => {
    if (wallets) container.current?.querySelector('button')?.focus();
  }, [wallets]);
  return (
    <div ref={container} className="grid justify-items-start gap-3">
      {isFetching ? <p role="status">{messages.searching}</p> : null}
      {failure ? (
        <p role="alert" className="text-coral-text">
          {failure}
        </p>
      ) : null}
      {wallets?.length === 0 && !isFetching ? (
        <>
          <p role="alert">{messages.problem.none}</p>
          <Button onClick={() => void search.refetch()}>{messages.again}</Button>
        </>
      ) : null}
      {wallets && wallets.length > 0 ? (
        <ul className="flex flex-wrap gap-3">
          {wallets.map((wallet) => (
            <li key={wallet.id}>
              <Button
                busy={busy?.id === wallet.id}
                busyLabel={messages.signing}
                disabled={busy !== undefined && busy.id !== wallet.id}
                onClick={() => onChoose(wallet)}
              >
                {label(wallet.name)}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
