import { HydrationBoundary, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRouteLoaderData, useSearchParams } from 'react-router';
import { useMe } from '#app/features/auth/auth.queries.ts';
import { lazyVoteTicket } from '#app/features/race/LazyVoteTicket.tsx';
import { useFollowButton } from '#app/features/saved/useFollowButton.tsx';
import { exploreQuery, filterOf } from '#app/features/tokens/explore.queries.ts';
import { hasFilters } from '#app/features/tokens/has-filters.ts';
import { LastRound, WhoVotes } from '#app/features/voting/LastRound.tsx';
import { RankingList } from '#app/features/voting/RankingList.tsx';
import { PrintedHeading, RankingTools } from '#app/features/voting/RankingTools.tsx';
import { LiveLights, LiveState, RoundClock } from '#app/features/voting/RoundClock.tsx';
import { rankingQuery } from '#app/features/voting/ranking.queries.ts';
import { VoteControl } from '#app/features/voting/VoteControl.tsx';
import { useLiveTallies } from '#app/features/voting/voting.queries.ts';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { raceLinkTexts } from '#app/lib/messages/race-link.ts';
import { voteTexts } from '#app/lib/messages/vote.ts';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { useReturnHere } from '#app/lib/session/sign-in-return.ts';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { cx } from '#app/ui/cx.ts';
import { GridSkeleton } from '#app/ui/layout/GridSkeleton.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';
import type { Me } from '#contract/domains/auth.ts';

/** Loaded on demand: most visitors read the whole ranking. */
const FilteredList = lazy(() => loadWithRetry(() => import('#app/routes/FilteredList.tsx')));

export const loader = (args: LoaderFunctionArgs) => {
  const { searchParams } = new URL(args.request.url);
  return prefetch(args, (queries, api) =>
    Promise.all([
      queries.fetchQuery(rankingQuery(undefined, api)),
      hasFilters(searchParams) && queries.fetchInfiniteQuery(exploreQuery(filterOf(searchParams, '/vote'), api)),
    ]),
  );
};
export const clientLoader = nothingToLoad;

export default function VotePage() {
  const { state } = useLoaderData<PageData>();
  const { race } = useText(raceLinkTexts);
  const text = useText(voteTexts);
  const href = useHref();
  const me = useMe();
  const origin = useRouteLoaderData<{ origin: string }>('root')?.origin ?? '';
  const [parameters] = useSearchParams();
  useLiveTallies();
  const signedIn = me === undefined ? undefined : me !== null;
  const follow = useFollowButton(signedIn);
  const vote = ({ id, tokenName }: { id: string; tokenName: string }) => (
    <VoteControl candidateId={id} name={tokenName} signedIn={signedIn} look="soft" ticket={lazyVoteTicket} />
  );
  return (
    <HydrationBoundary state={state}>
      <Seo title={text.vote.title} description={text.vote.description} />
      <link
        rel="alternate"
        type="application/json+oembed"
        href={`${origin}/oembed?url=${encodeURIComponent(origin + href('/vote'))}`}
        title={text.vote.heading}
      />
      <LiveLights />
      <div className="page">
        <PageHead over={<LiveState />} title={text.vote.heading} lead={text.vote.lead} actions={<RoundClock />} />
        <Banner me={me} />
        {hasFilters(parameters) ? (
          <Suspense fallback={<GridSkeleton label={text.vote.loading} />}>
            <FilteredList page="/vote" vote={vote} />
          </Suspense>
        ) : (
          <div data-print>
            <PrintedHeading />
            <RankingList
              action={(candidate) => (
                <>
                  {vote(candidate)}
                  <span className="rank-follow">
                    {follow({ kind: 'candidate', id: candidate.id }, candidate.tokenName)}
                  </span>
                </>
              )}
            />
          </div>
        )}
        <p className="mt-6 flex flex-wrap gap-x-6">
          <Link to={href('/vote/race')} className="link inline-flex min-h-10 items-center">
            {race.link}
          </Link>
          <RankingTools />
        </p>
        <p className="text-sm text-quiet">
          {text.vote.rules} <WhoVotes />
        </p>
        <p className="mt-2 max-w-[70ch] text-sm text-quiet">
          {text.vote.doubt} {text.vote.ledger}{' '}
          <Link to={href('/ledger')} className="link">
            {text.vote.ledgerLink}
          </Link>
        </p>
        <LastRound />
      </div>
    </HydrationBoundary>
  );
}

function Banner({ me }: { me: Me | null | undefined }) {
  const text = useText(voteTexts);
  const href = useHref();
  const here = useReturnHere();
  const { data } = useQuery(rankingQuery());
  const unconfirmed = data?.confirmedOnly === true && me?.emailVerified === false;
  return (
    // As high as the later content: two lines and a button for a visitor, an email address for a member. The mark of a member's
    // browser is removed once the session is loaded.
    <div
      className={cx(
        'card mb-5 flex flex-wrap items-center justify-between gap-3 px-5',
        me
          ? 'min-h-17 py-2.5'
          : 'min-h-33 py-3 sm:min-h-17 in-data-[member]:h-17 in-data-[member]:min-h-0 in-data-[member]:overflow-hidden',
      )}
    >
      {me ? (
        <p className="min-w-0 text-[0.9375rem] wrap-anywhere">
          {unconfirmed ? text.vote.signedInUnconfirmed(me.email) : text.vote.signedIn(me.email)}{' '}
          {unconfirmed ? (
            <Link to={href('/account')} className="link">
              {text.vote.confirmAction}
            </Link>
          ) : null}
        </p>
      ) : (
        <>
          <p className="visitor-only">{text.vote.prompt}</p>
          <ButtonLink to={href('/auth')} state={here} size="sm" className="visitor-only">
            {text.vote.promptAction}
          </ButtonLink>
        </>
      )}
    </div>
  );
}
