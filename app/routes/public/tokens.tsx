import { HydrationBoundary } from '@tanstack/react-query';
import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from 'react-router';
import { useSignedIn } from '#app/features/auth/auth.queries.ts';
import { FollowButton } from '#app/features/saved/FollowButton.tsx';
import { ExploreFilters } from '#app/features/tokens/ExploreFilters.tsx';
import { ExploreList } from '#app/features/tokens/ExploreList.tsx';
import { exploreQuery, filterOf } from '#app/features/tokens/explore.queries.ts';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { exploreTexts } from '#app/lib/messages/explore.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';

export const loader = (args: LoaderFunctionArgs) =>
  prefetch(args, (queries, api) =>
    queries.fetchInfiniteQuery(exploreQuery(filterOf(new URL(args.request.url).searchParams), api)),
  );
export const clientLoader = nothingToLoad;

/** /tokens: the three lists with filters and orders, all of them in the address. */
export default function TokensPage() {
  const { state } = useLoaderData<PageData>();
  const { explore: text } = useText(exploreTexts);
  const [parameters] = useSearchParams();
  const signedIn = useSignedIn();
  const filter = filterOf(parameters);
  const comparing = parameters.get('with')?.slice(0, 160) || null;
  return (
    <HydrationBoundary state={state}>
      <Seo title={text.title} description={text.description} path="/tokens" />
      <div className="page pb-10">
        <PageHead title={text.heading} lead={text.lead} />
        <ExploreFilters filter={filter} comparing={comparing} />
        {comparing ? (
          <p role="status" className="mb-5 rounded-control border border-line bg-lead-soft p-4 text-lead-text">
            {text.choosing}
          </p>
        ) : null}
        <ExploreList
          key={JSON.stringify(filter)}
          filter={filter}
          comparing={comparing}
          follow={({ kind, id, tokenName }) => (
            <FollowButton token={{ kind, id }} name={tokenName} signedIn={signedIn} />
          )}
        />
      </div>
    </HydrationBoundary>
  );
}
