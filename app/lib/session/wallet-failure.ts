import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { walletTexts } from '#app/lib/messages/wallets.ts';
import type { WalletFailure } from './wallet.ts';

/** Messages for errors of a wallet, or of the server about a wallet, one for each reason. */
export function useWalletFailure(): (error: unknown) => string {
  const text = useText(walletTexts);
  const { problem, refused, taken, unknown, staff, lastWayIn } = text.wallets;
  return (error) => {
    // Compared by name: importing the class would load the wallet code with every page that shows messages.
    if ((error as Error).name === 'WalletFailure') return problem[(error as WalletFailure).why];
    const { why = '', by = '' } = ((error as { data?: unknown }).data ?? {}) as { why?: string; by?: string };
    const texts: Partial<Record<string, string>> = {
      WALLET_REFUSED: refused[why as keyof typeof refused],
      WALLET_TAKEN: taken[by as keyof typeof taken],
      WALLET_UNKNOWN: unknown,
      WALLET_STAFF: staff,
      LAST_WAY_IN: lastWayIn,
    };
    return texts[codeOf(error)] ?? failureText(error, text);
  };
}
