import { useParams } from 'react-router';
import { useSignedIn } from '#app/features/auth/auth.queries.ts';
import { OwnershipPanel } from '#app/features/ownership/OwnershipPanel.tsx';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { ownershipTexts } from '#app/lib/messages/ownership.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { useReturnHere } from '#app/lib/session/sign-in-return.ts';
import { SceneClosedGate } from '#app/ui/art/scenes/SceneClosedGate.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { TokenRecord } from '#contract/domains/ownership.ts';

/** /creator/:kind/:id: the ownership proofs of a token. */
export default function CreatorPage() {
  const messages = useText(ownershipTexts).ownership;
  const href = useHref();
  const here = useReturnHere();
  const mounted = useMounted();
  const signedIn = useSignedIn();
  const { kind = '', id = '' } = useParams();
  return (
    <div className="page pb-12">
      <Seo title={messages.title} hidden />
      <PageHead title={messages.heading} lead={messages.lead} />
      {!mounted || signedIn === undefined ? (
        <SkeletonGroup label={messages.loading}>
          <Skeleton className="h-40 max-w-[52rem] rounded-card" />
        </SkeletonGroup>
      ) : signedIn ? (
        // The server refuses an invalid kind or id like one that does not exist.
        <OwnershipPanel key={`${kind}/${id}`} record={{ kind: kind as TokenRecord['kind'], id }} />
      ) : (
        <EmptyState
          scene={<SceneClosedGate />}
          title={messages.signIn}
          text={messages.signInText}
          action={
            <ButtonLink to={href('/auth')} state={here} variant="primary">
              {messages.signInAction}
            </ButtonLink>
          }
        />
      )}
    </div>
  );
}
