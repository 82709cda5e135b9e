import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { useMe, useSignedIn } from '#app/features/auth/auth.queries.ts';
import { NoticeSwitch } from '#app/features/saved/NoticeSwitch.tsx';
import { resolveSaved } from '#app/features/saved/resolve-saved.ts';
import { useSavedTokens } from '#app/features/saved/saved.queries.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { savedTexts } from '#app/lib/messages/saved.ts';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { voteTexts } from '#app/lib/messages/vote.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { ButtonLink, IconButton } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FailedState } from '#app/ui/layout/FailedState.tsx';
import { PageHead, TicketGrid } from '#app/ui/layout/Page.tsx';
import { SkeletonGroup, TokenTicketSkeleton } from '#app/ui/layout/Skeleton.tsx';
import { TokenTicket } from '#app/ui/layout/TokenTicket.tsx';
import type { SavedRef } from '#contract/domains/saved.ts';
import { SAVED_MAX } from '#contract/limits.ts';

/** The saved tokens of this browser or account. */
export default function SavedPage() {
  const text = useText(voteTexts, tokenTexts, savedTexts);
  return (
    <div className="page">
      <Seo title={text.saved.title} hidden />
      <PageHead title={text.saved.heading} lead={useMe() ? text.saved.leadMember : text.saved.lead} />
      <SavedList />
    </div>
  );
}

function SavedList() {
  const text = useText(voteTexts, tokenTexts, savedTexts);
  const href = useHref();
  const me = useMe();
  const mounted = useMounted();
  const saved = useSavedTokens(useSignedIn());
  const grid = useRef<HTMLDivElement>(null);
  const { data, isError, refetch } = useQuery({
    queryKey: rpc.saved.resolve.queryKey({ input: { refs: saved.refs } }),
    queryFn: ({ signal }) => resolveSaved(saved.refs, signal),
    enabled: saved.ready,
    placeholderData: (old) => old,
  });
  if (!data && (isError || saved.failed))
    return (
      <FailedState
        title={text.saved.error}
        retryLabel={text.vote.retry}
        onRetry={() => void (saved.failed ? saved.retry() : refetch())}
      />
    );
  if (!mounted || !saved.ready || !data)
    return (
      <SkeletonGroup label={text.saved.loading}>
        <TicketGrid>
          <TokenTicketSkeleton />
          <TokenTicketSkeleton />
          <TokenTicketSkeleton />
        </TicketGrid>
      </SkeletonGroup>
    );
  const refsOf = ({ kind, id, candidateId }: (typeof data)[number]): SavedRef[] => [
    { kind, id },
    ...(candidateId ? [{ kind: 'candidate' as const, id: candidateId }] : []),
  ];
  const tokens = data.filter((token) => refsOf(token).some(saved.has));
  if (tokens.length === 0)
    return (
      <EmptyState
        scene={<SceneEmptyStage />}
        title={text.saved.empty}
        text={text.saved.emptyHint}
        action={
          <ButtonLink to={href('/')} variant="primary">
            {text.saved.explore}
          </ButtonLink>
        }
      />
    );
  /** The focus goes to the next token, or to the page when the list is empty. */
  function remove(token: (typeof tokens)[number], place: number) {
    for (const ref of refsOf(token)) if (saved.has(ref)) saved.set(ref, false);
    requestAnimationFrame(() => {
      const left = grid.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [];
      (left[Math.min(place, left.length - 1)] ?? document.getElementById('content'))?.focus();
    });
  }
  return (
    <>
      {me && saved.waiting > 0 && saved.refs.length >= SAVED_MAX ? (
        <p role="note" className="mb-5 text-sm font-medium">
          {text.saved.full(saved.waiting)}
        </p>
      ) : null}
      {me ? <p className="mb-5 text-sm text-quiet">{text.saved.noticeHint}</p> : null}
      <TicketGrid ref={grid}>
        {tokens.map((token, i) => (
          <TokenTicket
            key={`${token.kind}:${token.id}`}
            to={href(`/token/${token.tokenSlug ?? token.id}${token.kind === 'candidate' ? '/candidate' : ''}`)}
            image={<TokenImage id={token.id} symbol={token.tokenSymbol} src={token.imageUrl} alt="" size="fill" />}
            title={token.tokenName}
            symbol={`$${token.tokenSymbol}`}
            description={token.description || text.shared.defaultDescription}
            stub={text.token.kind[token.kind]}
            stubEnd={
              <span className="flex items-center">
                {me ? <NoticeSwitch token={{ kind: token.kind, id: token.id }} name={token.tokenName} /> : null}
                <IconButton
                  className="above"
                  label={text.saved.removeOf(token.tokenName)}
                  data-remove
                  onClick={() => remove(token, i)}
                >
                  <X aria-hidden="true" />
                </IconButton>
              </span>
            }
          />
        ))}
      </TicketGrid>
    </>
  );
}
