import { useState } from 'react';
import { client } from '#app/lib/api/rpc.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { walletTexts } from '#app/lib/messages/wallets.ts';
import { WalletChoice } from '#app/lib/session/WalletChoice.tsx';
import { type BrowserWallet, signWith } from '#app/lib/session/wallet.ts';
import type { ConfirmedAction } from './useConfirmedAction.ts';

interface WalletLinkProps {
  action: ConfirmedAction;
  failure: string;
  onDone: () => void;
}

/** Lets the user choose a wallet of this browser, and links it. */
export default function WalletLink({ action, failure, onDone }: WalletLinkProps) {
  const messages = useText(walletTexts).wallets;
  const locale = useLocale();
  const [chosen, setChosen] = useState<BrowserWallet>();
  const link = (wallet: BrowserWallet) => {
    setChosen(wallet);
    action.run(async () => {
      const signed = await signWith(wallet, (about) => client.account.wallets.startLinking(about));
      await client.account.wallets.link({ ...signed, locale });
      onDone();
      return messages.added;
    });
  };
  return (
    <WalletChoice label={messages.addWith} busy={action.busy ? chosen : undefined} failure={failure} onChoose={link} />
  );
}
