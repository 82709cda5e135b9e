import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { dateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { accountTexts } from '#app/lib/messages/account.ts';
import { walletTexts } from '#app/lib/messages/wallets.ts';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { useWalletFailure } from '#app/lib/session/wallet-failure.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { AccountOverview } from '#contract/domains/account.ts';
import type { LinkedWallet } from '#contract/domains/linked-wallets.ts';
import { AccountSection } from './AccountSection.tsx';
import { StepUpForm } from './StepUpForm.tsx';
import { type ConfirmedAction, useConfirmedAction } from './useConfirmedAction.ts';

// With the wallet code, which is not needed before the button is pressed.
const WalletLink = lazy(() => loadWithRetry(() => import('./WalletLink.tsx')));

/** Wallets that sign in to the account: linking and removing them. */
export function WalletsPart({ account }: { account: AccountOverview }) {
  const messages = useText(walletTexts).wallets;
  const { verifyFirst } = useText(accountTexts).account.second;
  const failureOf = useWalletFailure();
  const list = useQuery(rpc.account.wallets.list.queryOptions({}));
  const [linking, setLinking] = useState(false);
  const [failure, setFailure] = useState('');
  const { run, busy, proof } = useConfirmedAction((error) => setFailure(failureOf(error)));
  const action: ConfirmedAction = {
    busy,
    run: (work: () => Promise<string>) => {
      setFailure('');
      run(work);
    },
  };
  const count = list.data?.length ?? 0;
  return (
    <AccountSection
      title={messages.heading}
      badge={<Badge tone={count > 0 ? 'mint' : 'neutral'}>{count}</Badge>}
      lead={messages.lead}
    >
      <p className="text-sm text-quiet">{messages.limits}</p>
      {list.isError ? <p role="alert">{messages.loadFailed}</p> : null}
      {list.data?.length === 0 ? <p className="text-quiet">{messages.none}</p> : null}
      {count > 0 ? (
        <ul className="grid gap-3">
          {list.data?.map((wallet) => (
            <Row key={wallet.id} wallet={wallet} action={action} />
          ))}
        </ul>
      ) : null}
      {proof ? (
        <StepUpForm account={account} {...proof} />
      ) : account.emailVerified ? (
        linking ? (
          <Suspense>
            <WalletLink action={action} failure={failure} onDone={() => setLinking(false)} />
          </Suspense>
        ) : (
          <>
            {failure ? (
              <p role="alert" className="text-coral-text">
                {failure}
              </p>
            ) : null}
            <Button className="justify-self-start" onClick={() => setLinking(true)}>
              {messages.add}
            </Button>
          </>
        )
      ) : (
        <p className="text-quiet">{verifyFirst}</p>
      )}
    </AccountSection>
  );
}

function Row({ wallet, action }: { wallet: LinkedWallet; action: ConfirmedAction }) {
  const messages = useText(walletTexts).wallets;
  const locale = useLocale();
  const { id, address, family } = wallet;
  const remove = () =>
    action.run(async () => {
      await client.account.wallets.unlink({ id, locale });
      return messages.removed;
    });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2">
          <code className="break-all text-sm font-semibold">{address}</code>
          <Badge tone="neutral">{messages.family[family]}</Badge>
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
          <span>{messages.made(dateTime(wallet.linkedAt, locale))}</span>
          <span>{wallet.lastUsedAt ? messages.used(dateTime(wallet.lastUsedAt, locale)) : messages.unused}</span>
        </p>
      </div>
      <Button size="sm" aria-label={messages.removeOf(address)} onClick={remove}>
        {messages.remove}
      </Button>
    </li>
  );
}
