import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useSignedIn } from '#app/features/auth/auth.queries.ts';
import { FollowButton } from '#app/features/saved/FollowButton.tsx';
import { ExploreFilters } from '#app/features/tokens/ExploreFilters.tsx';
import { ExploreList } from '#app/features/tokens/ExploreList.tsx';
import { explorePath, type FilteredPage, filterOf } from '#app/features/tokens/explore.queries.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { exploreTexts } from '#app/lib/messages/explore.ts';
import type { ExploredToken } from '#contract/domains/tokens.ts';

interface FilteredListProps {
  page: Exclude<FilteredPage, '/tokens'>;
  /** Renders the vote control of a candidate. */
  vote?: (token: ExploredToken) => ReactNode;
}

/** Filters, orders and the list that they leave, in place of the unfiltered list of a page. Loaded on demand. */
export default function FilteredList({ page, vote }: FilteredListProps) {
  const { explore: text } = useText(exploreTexts);
  const href = useHref();
  const [parameters] = useSearchParams();
  const signedIn = useSignedIn();
  const filter = filterOf(parameters, page);
  return (
    <div data-filtered>
      <p className="mb-2 flex flex-wrap items-center justify-between gap-x-6">
        <span className="text-sm text-quiet">{page === '/vote' ? text.noPlaces : text.filtered}</span>
        <span className="flex flex-wrap gap-x-6">
          <Link to={href(explorePath(filter))} className="link inline-flex min-h-10 items-center">
            {text.all}
          </Link>
          <Link
            to={href(page === '/' && filter.kind === 'next' ? '/?tab=next' : page)}
            preventScrollReset
            className="link inline-flex min-h-10 items-center"
          >
            {text.close}
          </Link>
        </span>
      </p>
      <ExploreFilters filter={filter} page={page} />
      <ExploreList
        key={JSON.stringify(filter)}
        filter={filter}
        page={page}
        follow={({ kind, id, tokenName }) => <FollowButton token={{ kind, id }} name={tokenName} signedIn={signedIn} />}
        vote={vote}
      />
    </div>
  );
}
