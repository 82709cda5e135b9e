import { useText } from '#app/lib/i18n/i18n.tsx';
import { accountTexts } from '#app/lib/messages/account.ts';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import { useOverview } from './account.queries.ts';
import { DataPart } from './Data.tsx';
import { PasskeysPart } from './Passkeys.tsx';
import { PasswordPart } from './Password.tsx';
import { EmailPart, NamePart, PresencePart } from './Profile.tsx';
import { PublicPagePart, RestrictionsPart } from './PublicPage.tsx';
import { SecondFactorPart } from './SecondFactor.tsx';
import { SessionsPart } from './Sessions.tsx';
import { WalletsPart } from './Wallets.tsx';

interface AccountPartsProps {
  /** True for users who may know how the site's mails are delivered. */
  operator: boolean;
  onRemoved: () => unknown;
}

/** All actions of a member on the account. */
export function AccountParts({ operator, onRemoved }: AccountPartsProps) {
  const text = useText(accountTexts);
  const overview = useOverview(true);
  const account = overview.data;
  if (!account)
    return overview.isError ? (
      <EmptyState
        role="alert"
        scene={<SceneNotFound />}
        title={text.account.error}
        action={
          <Button variant="primary" onClick={() => void overview.refetch()}>
            {text.account.retry}
          </Button>
        }
      />
    ) : (
      <AccountSkeleton />
    );
  return (
    <div className="grid gap-5">
      {account.mailTarget === 'outbox' ? (
        <p className="rounded-control border border-line bg-lead-soft p-4 text-sm text-lead-text">
          {operator ? text.account.outbox : text.account.noMail}
        </p>
      ) : null}
      <NamePart account={account} />
      <EmailPart account={account} />
      <PasswordPart account={account} />
      <SecondFactorPart account={account} />
      <PasskeysPart account={account} />
      <WalletsPart account={account} />
      <SessionsPart account={account} />
      <PresencePart account={account} />
      <PublicPagePart account={account} />
      <RestrictionsPart />
      <DataPart account={account} onRemoved={onRemoved} />
    </div>
  );
}

export function AccountSkeleton() {
  const text = useText(accountTexts);
  return (
    <SkeletonGroup label={text.account.loading} className="grid gap-5">
      <Skeleton className="h-44 rounded-card" />
      <Skeleton className="h-80 rounded-card" />
      <Skeleton className="h-72 rounded-card" />
    </SkeletonGroup>
  );
}
