import { HydrationBoundary } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { data, type LoaderFunctionArgs, useLoaderData, useNavigate, useParams, useSearchParams } from 'react-router';
import { NewsList, newsLinkId } from '#app/features/news/NewsList.tsx';
import { NewsReader } from '#app/features/news/NewsReader.tsx';
import { NewsSearch } from '#app/features/news/NewsSearch.tsx';
import { newsItemQuery, newsListQuery, newsQuery } from '#app/features/news/news.queries.ts';
import { ShareButton } from '#app/features/tokens/ShareButton.tsx';
import { codeOf } from '#app/lib/api/failure.ts';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { searchTermsOf } from '#app/lib/forms/search-terms.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { newsTexts } from '#app/lib/messages/news.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { SpotlightHero } from '#app/ui/layout/SpotlightHero.tsx';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** /news and /news/:id, the list with one item open over it. */
export async function loader(args: LoaderFunctionArgs) {
  const searchTerm = searchTermsOf(new URL(args.request.url).searchParams.get('q'));
  const { id } = args.params;
  let missing = id !== undefined && !UUID.test(id);
  const page = await prefetch(args, (queries, api) =>
    Promise.all([
      queries.fetchInfiniteQuery(newsListQuery(searchTerm, api)),
      id && !missing
        ? queries.fetchQuery(newsItemQuery(id, api)).catch((error: unknown) => {
            if (codeOf(error) !== 'NOT_FOUND') throw error;
            missing = true;
          })
        : null,
    ]),
  );
  return missing && 'state' in page ? data({ ...page, missing }, { status: 404 }) : page;
}
export const clientLoader = nothingToLoad;

export default function NewsPage() {
  const { state, missing = false } = useLoaderData<PageData & { missing?: boolean }>();
  const text = useText(newsTexts);
  const href = useHref();
  const navigate = useNavigate();
  const feed = href('/news/feed.xml');
  const { id } = useParams();
  const [parameters] = useSearchParams();
  const searchTerm = searchTermsOf(parameters.get('q'));
  useFocusOnCard(id);
  const search = (next: string) =>
    void navigate(href('/news') + newsQuery(next), { replace: true, preventScrollReset: true });
  return (
    <HydrationBoundary state={state}>
      {id ? null : <Seo title={text.news.title} description={text.news.description} />}
      <link rel="alternate" type="application/rss+xml" title={text.news.title} href={feed} />
      <SpotlightHero
        title={<English>{text.news.heading}</English>}
        lead={text.news.lead}
        actions={<NewsSearch searchTerm={searchTerm} onSearch={search} />}
      />
      <div className="page py-8">
        <NewsList searchTerm={searchTerm} onShowAll={() => search('')} feed={feed} />
      </div>
      {id ? (
        <NewsReader
          key={id}
          id={id}
          searchTerm={searchTerm}
          missing={missing || !UUID.test(id)}
          actions={(item) => <ShareButton title={item.title} />}
        />
      ) : null}
    </HydrationBoundary>
  );
}

/** When the item closes the focus returns to its card. */
function useFocusOnCard(id: string | undefined): void {
  const open = useRef(id);
  useEffect(() => {
    const closed = open.current;
    open.current = id;
    // After the frame, which moves the focus to the content of the new page.
    if (closed && !id) queueMicrotask(() => document.getElementById(newsLinkId(closed))?.focus());
  }, [id]);
}
