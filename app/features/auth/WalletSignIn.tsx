import { useMutation } from '@tanstack/react-query';
import { codeOf } from '#app/lib/api/failure.ts';
import { client } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { authTexts } from '#app/lib/messages/auth.ts';
import { walletTexts } from '#app/lib/messages/wallets.ts';
import { WalletChoice } from '#app/lib/session/WalletChoice.tsx';
import { type BrowserWallet, signWith } from '#app/lib/session/wallet.ts';
import { useWalletFailure } from '#app/lib/session/wallet-failure.ts';
import type { Me } from '#contract/domains/auth.ts';
import { TextButton } from './steps.tsx';

interface WalletSignInProps {
  onBack: () => void;
  onDone: (me: Me) => unknown;
  onSecondStep: () => void;
}

/** Sign-in with a wallet that is linked to an account. */
export default function WalletSignIn({ onBack, onDone, onSecondStep }: WalletSignInProps) {
  const messages = useText(walletTexts).wallets;
  const { auth } = useText(authTexts);
  const failure = useWalletFailure();
  const signIn = useMutation({
    mutationFn: async (wallet: BrowserWallet) =>
      client.account.wallets.signIn(await signWith(wallet, (about) => client.account.wallets.startSignIn(about))),
    onSuccess: onDone,
    onError: (error) => {
      if (codeOf(error) === 'SECOND_FACTOR_NEEDED') onSecondStep();
    },
  });
  return (
    <section aria-label={messages.signInHeading} className="grid gap-4">
      <p role="status" className="text-quiet">
        {messages.signInLead}
      </p>
      <WalletChoice
        label={messages.signInWith}
        busy={signIn.isPending ? signIn.variables : undefined}
        failure={signIn.error ? failure(signIn.error) : ''}
        onChoose={signIn.mutate}
      />
      <TextButton onClick={onBack}>{auth.back}</TextButton>
    </section>
  );
}
