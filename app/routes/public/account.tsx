import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { AccountParts, AccountSkeleton } from '#app/features/account/AccountParts.tsx';
import { sessionChanged, useMe, useSignedIn } from '#app/features/auth/auth.queries.ts';
import { AccountReceipts } from '#app/features/ledger/AccountReceipts.tsx';
import { OwnOrders } from '#app/features/token-requests/order/OwnOrders.tsx';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { accountTexts } from '#app/lib/messages/account.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { useReturnHere } from '#app/lib/session/sign-in-return.ts';
import { SceneClosedGate } from '#app/ui/art/scenes/SceneClosedGate.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';

/** A member's own account; visitors are asked to sign in. */
export default function AccountPage() {
  const text = useText(accountTexts);
  const href = useHref();
  const here = useReturnHere();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const mounted = useMounted();
  const signedIn = useSignedIn();
  const me = useMe();
  async function removed() {
    await navigate(href('/'));
    await sessionChanged(queries, null);
  }
  return (
    <div className="page max-w-[60rem] pb-12">
      <Seo title={text.account.title} hidden />
      <PageHead title={text.account.heading} lead={text.account.lead} />
      {!mounted || signedIn === undefined ? (
        <AccountSkeleton />
      ) : signedIn ? (
        <div key={me?.id} className="grid gap-5">
          {me ? <OwnOrders memberId={me.id} /> : null}
          <AccountReceipts />
          <AccountParts operator={me?.isAdmin ?? false} onRemoved={removed} />
        </div>
      ) : (
        <EmptyState
          scene={<SceneClosedGate />}
          title={text.account.prompt}
          text={text.account.promptText}
          action={
            <ButtonLink to={href('/auth')} state={here} variant="primary">
              {text.account.promptAction}
            </ButtonLink>
          }
        />
      )}
    </div>
  );
}
