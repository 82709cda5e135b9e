import { HydrationBoundary, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link, type LoaderFunctionArgs, redirect, useLoaderData, useSearchParams } from 'react-router';
import { useSignedIn } from '#app/features/auth/auth.queries.ts';
import { NextPages } from '#app/features/next-projects/NextPages.tsx';
import {
  nextPageOf,
  nextPagePath,
  nextPageQuery,
  nextPagesOf,
} from '#app/features/next-projects/next-projects.queries.ts';
import { useFollowButton } from '#app/features/saved/useFollowButton.tsx';
import { exploreQuery, filterOf } from '#app/features/tokens/explore.queries.ts';
import { hasFilters } from '#app/features/tokens/has-filters.ts';
import { rankingQuery } from '#app/features/voting/ranking.queries.ts';
import { useLiveTallies } from '#app/features/voting/voting.queries.ts';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { integer } from '#app/lib/format/format.ts';
import { localeOf, localize, useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { exploreLinkTexts } from '#app/lib/messages/explore-link.ts';
import { nextTexts } from '#app/lib/messages/next.ts';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { GridSkeleton } from '#app/ui/layout/GridSkeleton.tsx';
import { PageHead, Section } from '#app/ui/layout/Page.tsx';
import { Podium, Winner } from '#app/ui/layout/Podium.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import { Ticket } from '#app/ui/layout/Ticket.tsx';
import type { Candidate } from '#contract/domains/voting.ts';
import { PODIUM_SLOTS } from '#contract/limits.ts';

/** Loaded on demand: most visitors read the whole calendar. */
const FilteredList = lazy(() => loadWithRetry(() => import('#app/routes/FilteredList.tsx')));

export function loader(args: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(args.request.url);
  const requestedPage = nextPageOf(searchParams.get('page'));
  return prefetch(args, (queries, api) =>
    Promise.all([
      queries.fetchQuery(rankingQuery(PODIUM_SLOTS, api)),
      hasFilters(searchParams)
        ? queries.fetchInfiniteQuery(exploreQuery(filterOf(searchParams, '/next'), api))
        : queries.fetchQuery(nextPageQuery(requestedPage, api)).then(({ total }) => {
            const last = nextPagesOf(total);
            // Not a permanent redirect: the list grows.
            if (requestedPage > last) throw redirect(localize(nextPagePath(last), localeOf(pathname)), 302);
          }),
    ]),
  );
}
export const clientLoader = nothingToLoad;

export default function NextPage() {
  const { state } = useLoaderData<PageData>();
  const text = useText(nextTexts);
  const href = useHref();
  const [parameters] = useSearchParams();
  const follow = useFollowButton(useSignedIn());
  const filtered = hasFilters(parameters);
  const requestedPage = nextPageOf(parameters.get('page'));
  return (
    <HydrationBoundary state={state}>
      {/* Each page of the calendar has projects of its own; a filtered list is a view of the whole. */}
      <Seo
        title={text.next.title}
        description={text.next.description}
        path={nextPagePath(filtered ? 1 : requestedPage)}
      />
      <div className="page">
        <PageHead
          title={text.next.heading}
          lead={text.next.lead}
          actions={
            <Link to={href('/next?filters=on')} className="link inline-flex min-h-10 items-center">
              {useText(exploreLinkTexts).explore.link}
            </Link>
          }
        />
        <VotingPodium />
        <Promo />
        {filtered ? (
          <Section title={text.next.grid}>
            <Suspense fallback={<GridSkeleton label={text.next.loading} />}>
              <FilteredList page="/next" />
            </Suspense>
          </Section>
        ) : (
          <NextPages
            requestedPage={requestedPage}
            follow={({ id, tokenName }) => follow({ kind: 'next', id }, tokenName)}
          />
        )}
      </div>
    </HydrationBoundary>
  );
}

/** The three candidates with the most votes, and an invitation to become one. */
function VotingPodium() {
  const text = useText(nextTexts);
  const href = useHref();
  const { data, isPending } = useQuery(rankingQuery(PODIUM_SLOTS));
  useLiveTallies();
  const [first, second, third] = data?.items ?? [];
  return (
    <Section title={text.next.podium}>
      {isPending ? (
        <SkeletonGroup label={text.next.podiumLoading}>
          <Skeleton className="h-96 rounded-card" />
        </SkeletonGroup>
      ) : first ? (
        <>
          <Podium
            label={text.next.podium}
            first={<Place candidate={first} />}
            second={second && <Place candidate={second} />}
            third={third && <Place candidate={third} />}
          />
          <p className="mt-6 text-center">
            <ButtonLink to={href('/create')}>{text.next.launchYours}</ButtonLink>
          </p>
        </>
      ) : (
        <EmptyState level={3} scene={<SceneEmptyStage />} title={text.next.podiumEmpty} />
      )}
    </Section>
  );
}

function Place({ candidate }: { candidate: Candidate }) {
  const text = useText(nextTexts);
  const href = useHref();
  const locale = useLocale();
  const follow = useFollowButton(useSignedIn());
  return (
    <Winner
      image={
        <TokenImage id={candidate.id} symbol={candidate.tokenSymbol} src={candidate.imageUrl} alt="" size={88} eager />
      }
      title={
        <Link to={href(`/token/${candidate.tokenSlug || candidate.id}/candidate`)} className="stretched">
          {candidate.tokenName}
        </Link>
      }
      subtitle={`$${candidate.tokenSymbol}`}
      value={text.next.votes(integer(candidate.totalVotes, locale))}
      corner={follow({ kind: 'candidate', id: candidate.id }, candidate.tokenName)}
    />
  );
}

function Promo() {
  const text = useText(nextTexts);
  const href = useHref();
  return (
    <Ticket
      as="section"
      tone="lead"
      wide
      className="my-6"
      header={<h2 className="text-2xl md:text-3xl">{text.next.promo}</h2>}
      stub={
        <div className="grid justify-items-center gap-3 text-center">
          <p>
            <span className="block text-sm text-quiet">{text.next.promoFrom}</span>
            <span className="figures text-4xl font-bold text-lead-text">{text.next.promoPrice}</span>
          </p>
          <ButtonLink to={href('/create')} variant="primary" className="whitespace-nowrap">
            {text.next.promoAction}
          </ButtonLink>
        </div>
      }
    >
      <p className="mt-2 max-w-[34rem] text-lg text-quiet">{text.next.promoText}</p>
    </Ticket>
  );
}
