import { HydrationBoundary, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { type LoaderFunctionArgs, redirect, useLoaderData, useParams } from 'react-router';
import { useMe } from '#app/features/auth/auth.queries.ts';
import { feedQuery } from '#app/features/forum/forum.queries.ts';
import { LaunchWindow } from '#app/features/next-projects/LaunchWindow.tsx';
import { lazyVoteTicket } from '#app/features/race/LazyVoteTicket.tsx';
import { placingsQuery, ranksQuery } from '#app/features/race/race.queries.ts';
import { SaveButton } from '#app/features/saved/SaveButton.tsx';
import { ShareButton } from '#app/features/tokens/ShareButton.tsx';
import { TokenHead } from '#app/features/tokens/TokenHead.tsx';
import { TokenNotFound } from '#app/features/tokens/TokenNotFound.tsx';
import { tokenQuery } from '#app/features/tokens/tokens.queries.ts';
import { historyQuery, rankingQuery } from '#app/features/voting/ranking.queries.ts';
import { VoteControl } from '#app/features/voting/VoteControl.tsx';
import { VotingPerformance } from '#app/features/voting/VotingPerformance.tsx';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { lazyInView } from '#app/lib/page/lazy-in-view.tsx';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { Token } from '#contract/domains/tokens.ts';

const WaitingCount = lazy(() => loadWithRetry(() => import('#app/features/presence/WaitingCount.tsx')));
const RankHistory = lazyInView(async () => ({
  default: (await import('#app/features/race/RankHistory.tsx')).RankHistory,
}));
const TokenDetails = lazyInView(() => import('./token-details.tsx'));
const Discussion = lazyInView(() => import('./token-discussion.tsx'));
const TokenBadge = lazyInView(() => import('#app/features/tokens/TokenBadge.tsx'));

/** /token/:slug and /token/:slug/candidate */
export const loader = (args: LoaderFunctionArgs) =>
  prefetch(args, async (queries, api) => {
    const slug = args.params.slug ?? '';
    const token = await queries.fetchQuery(tokenQuery(slug, api));
    if (token.tokenSlug && token.tokenSlug !== slug) {
      // When the slug belongs to another record, this one is reachable by its id only.
      const there = await queries.fetchQuery(tokenQuery(token.tokenSlug, api));
      const url = new URL(args.request.url);
      if (there.id === token.id) throw redirect(url.pathname.replace(slug, token.tokenSlug) + url.search, 308);
    }
    await Promise.all([
      queries.fetchQuery(feedQuery({ about: token.id }, api)),
      ...(token.kind === 'candidate'
        ? [
            queries.fetchQuery(historyQuery(token.id, api)),
            queries.fetchQuery(rankingQuery(1, api)),
            queries.fetchQuery(ranksQuery(token.id, api)),
            queries.fetchQuery(placingsQuery(token.id, api)),
          ]
        : []),
    ]);
  });
export const clientLoader = nothingToLoad;

export default function TokenPage() {
  const { state, failed, missing } = useLoaderData<PageData>();
  return (
    <HydrationBoundary state={state}>
      <Content slug={useParams().slug ?? ''} failed={failed ?? false} missing={missing ?? false} />
    </HydrationBoundary>
  );
}

function Content({ slug, failed, missing }: { slug: string; failed: boolean; missing: boolean }) {
  const text = useText(tokenTexts);
  // Not refetched when the server has just returned NOT_FOUND.
  const { data: token, isError } = useQuery({ ...tokenQuery(slug), enabled: !missing });
  if (token) return <Details key={token.id} token={token} slug={slug} />;
  if (isError || failed || missing) return <TokenNotFound />;
  return (
    <div className="page py-10">
      <SkeletonGroup label={text.token.loading} className="grid gap-5">
        <div className="flex gap-4.5 md:gap-7">
          <Skeleton className="size-20 rounded-[22%] md:size-32" />
          <div className="grid flex-1 content-start gap-3">
            <Skeleton className="h-10 w-2/3" />
            <Skeleton className="h-6 w-24" />
            <Skeleton className="h-12" />
          </div>
        </div>
        <Skeleton className="h-28 rounded-card" />
      </SkeletonGroup>
    </div>
  );
}

function Details({ token, slug }: { token: Token; slug: string }) {
  const text = useText(tokenTexts);
  const me = useMe();
  // A browser's first page with a session: the mark of members is not there yet.
  const isMember = Boolean(me);
  useEffect(() => {
    if (isMember) Discussion.load();
  }, [isMember]);
  const signedIn = me === undefined ? undefined : me !== null;
  return (
    <>
      {token.launch ? (
        <LaunchWindow
          token={token}
          waiting={
            <Suspense>
              <WaitingCount id={token.id} memberId={me?.id} />
            </Suspense>
          }
        />
      ) : null}
      <div className="page py-6 md:py-8">
        <Seo
          title={`${token.tokenName} ($${token.tokenSymbol}) · ${text.brand.name}`}
          description={token.description || text.shared.defaultDescription}
          path={`/token/${token.tokenSlug ?? token.id}`}
          card={`token/${token.tokenSlug ?? token.id}`}
          about={(absolute) => ({
            '@type': 'BreadcrumbList',
            itemListElement: [
              { '@type': 'ListItem', position: 1, name: text.brand.name, item: absolute('/') },
              {
                '@type': 'ListItem',
                position: 2,
                name: token.tokenName,
                item: absolute(`/token/${token.tokenSlug ?? token.id}`),
              },
            ],
          })}
        />
        <TokenHead
          token={token}
          actions={
            <>
              {token.kind === 'candidate' ? (
                <VoteControl
                  candidateId={token.id}
                  name={token.tokenName}
                  signedIn={signedIn}
                  ticket={lazyVoteTicket}
                />
              ) : null}
              <ShareButton title={token.tokenName} />
              <SaveButton token={{ kind: token.kind, id: token.id }} signedIn={signedIn} />
            </>
          }
        />
        {token.kind === 'candidate' ? (
          <VotingPerformance
            candidateId={token.id}
            name={token.tokenName}
            totalVotes={token.totalVotes}
            votesToday={token.votesToday}
            votesUnderReview={token.votesUnderReview}
            votesVoid={token.votesVoid}
          />
        ) : null}
        {token.kind === 'candidate' ? <RankHistory candidateId={token.id} name={token.tokenName} /> : null}
        <TokenDetails slug={slug} />
        <Discussion key={token.id} kind={token.kind} id={token.id} name={token.tokenName} />
        <TokenBadge kind={token.kind} id={token.id} slug={token.tokenSlug ?? token.id} name={token.tokenName} />
      </div>
    </>
  );
}
