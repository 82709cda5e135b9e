import { HydrationBoundary, useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Form, type LoaderFunctionArgs, useLoaderData, useSearchParams } from 'react-router';
import { isEmpty, SearchResults } from '#app/features/search/SearchResults.tsx';
import { type GroupPage, resultsQuery, searchPageIn, searchPath } from '#app/features/search/search.queries.ts';
import { useSeenResults } from '#app/features/search/useSeenResults.ts';
import { failureText } from '#app/lib/api/failure.ts';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { searchTermsOf } from '#app/lib/forms/search-terms.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { searchTexts } from '#app/lib/messages/search.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Input } from '#app/ui/controls/Field.tsx';
import { HIT_ATTRIBUTE, moveThroughHits } from '#app/ui/controls/move-through-hits.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FailedState } from '#app/ui/layout/FailedState.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import { SEARCH_MAX } from '#contract/limits.ts';

const termsIn = (address: string) => searchTermsOf(new URL(address).searchParams.get('q'));

export const loader = (args: LoaderFunctionArgs) =>
  prefetch(args, async (queries, api) => {
    const terms = termsIn(args.request.url);
    const page = searchPageIn(new URL(args.request.url).searchParams);
    if (terms) await queries.fetchQuery(resultsQuery(terms, page, api));
  });
export const clientLoader = nothingToLoad;

/** /search and /search?q=: everything public that contains the words, in groups; with `kind` one group, paginated. */
export default function SearchPage() {
  const { state } = useLoaderData<PageData>();
  const text = useText(searchTexts);
  const [parameters] = useSearchParams();
  const terms = searchTermsOf(parameters.get('q'));
  return (
    <HydrationBoundary state={state}>
      <Seo title={terms ? text.search.titleOf(terms) : text.search.title} hidden />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between what can be focused inside. */}
      <div className="page pb-10" onKeyDown={moveThroughHits}>
        <PageHead title={text.search.heading} lead={text.search.lead} />
        <SearchForm key={terms} terms={terms} />
        {terms ? <Found terms={terms} page={searchPageIn(parameters)} /> : null}
      </div>
    </HydrationBoundary>
  );
}

/** Works before the scripts are loaded, and without them. */
function SearchForm({ terms }: { terms: string }) {
  const text = useText(searchTexts);
  const href = useHref();
  const [typed, setTyped] = useState(terms);
  return (
    <search>
      <Form method="get" action={href('/search')} preventScrollReset className="flex max-w-2xl gap-2">
        <Input
          {...HIT_ATTRIBUTE}
          type="search"
          name="q"
          dir="auto"
          aria-label={text.search.label}
          aria-describedby="search-hint"
          placeholder={text.search.placeholder}
          maxLength={SEARCH_MAX}
          autoComplete="off"
          enterKeyHint="search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="min-h-13"
        />
        <Button type="submit" variant="primary" className="min-h-13 flex-none">
          <Search aria-hidden="true" />
          <span className="max-xs:visually-hidden">{text.search.action}</span>
        </Button>
      </Form>
      <p id="search-hint" className="mt-2 max-w-2xl text-sm text-quiet">
        {text.search.hint}
      </p>
    </search>
  );
}

function Found({ terms, page }: { terms: string; page: GroupPage | null }) {
  const text = useText(searchTexts);
  const href = useHref();
  const { data: found, error, refetch, isFetching } = useQuery(resultsQuery(terms, page));
  const data = useSeenResults(found);
  const [announcement, setAnnouncement] = useState('');
  // Set after loading: a live region that is rendered with its text is not announced.
  useEffect(() => {
    if (data) setAnnouncement(isEmpty(data) ? text.search.none(terms) : text.search.results(terms));
  }, [data, terms, text]);
  const results = useRef<HTMLDivElement>(null);
  const pageKey = searchPath(terms, page ?? undefined);
  const focused = useRef({ terms, pageKey });
  // The link to the next page of results is removed with the page that it was on: the focus moves to the first result.
  useEffect(() => {
    if (!data || focused.current.pageKey === pageKey) return;
    if (focused.current.terms === terms)
      results.current?.querySelector<HTMLElement>('a')?.focus({ preventScroll: true });
    focused.current = { terms, pageKey };
  }, [data, terms, pageKey]);
  return (
    <div className="mt-8 grid gap-7">
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {data ? (
        isEmpty(data) ? (
          <EmptyState
            scene={<SceneNotFound />}
            title={text.search.none(terms)}
            text={text.search.noneText}
            action={<ButtonLink to={href('/')}>{text.search.noneAction}</ButtonLink>}
          />
        ) : (
          <>
            <div ref={results} className={page ? 'max-w-3xl' : 'grid gap-7 lg:grid-cols-2 lg:items-start'}>
              <SearchResults results={data} terms={terms} level={2} kind={page?.kind} />
            </div>
            {page ? (
              <ButtonLink to={href(searchPath(terms))} className="justify-self-start">
                {text.search.all}
              </ButtonLink>
            ) : null}
          </>
        )
      ) : error ? (
        <FailedState
          title={text.search.error}
          text={failureText(error, text)}
          retryLabel={text.search.retry}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        <SkeletonGroup label={text.search.loading} className="grid gap-7 lg:grid-cols-2">
          {[0, 1, 2, 3].map((key) => (
            <Skeleton key={key} className="h-48 rounded-card" />
          ))}
        </SkeletonGroup>
      )}
    </div>
  );
}
