import { HydrationBoundary } from '@tanstack/react-query';
import { type LoaderFunctionArgs, useLoaderData, useLocation } from 'react-router';
import { SiteText } from '#app/features/site-pages/SiteText.tsx';
import { contactQuery, sitePageQuery } from '#app/features/site-pages/site-pages.queries.ts';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { localeOf, localize } from '#app/lib/i18n/i18n.tsx';
import { termsQuery } from '#app/lib/page/plan-sales.ts';
import type { SitePageName } from '#contract/domains/site-pages.ts';
import { SITE_PAGES } from '#contract/limits.ts';

/** The page of a path: /terms, /en/terms. */
const pageOf = (pathname: string): SitePageName => {
  const name = localize(pathname.replace(/\.data$/, ''), 'es').slice(1);
  return SITE_PAGES.find((page) => page === name) ?? 'about';
};

/** /about, /how-voting-works, /prices, /terms, /privacy, /risk, /contact */
export const loader = (args: LoaderFunctionArgs) => {
  const { pathname } = new URL(args.request.url);
  const page = pageOf(pathname);
  return prefetch(args, (queries, api) =>
    Promise.all([
      queries.fetchQuery(sitePageQuery(page, localeOf(pathname), api)),
      page === 'contact' ? queries.fetchQuery(contactQuery(api)) : null,
      page === 'prices' ? queries.fetchQuery(termsQuery(api)) : null,
    ]),
  );
};
export const clientLoader = nothingToLoad;

export default function SitePage() {
  const { state } = useLoaderData<PageData>();
  const page = pageOf(useLocation().pathname);
  return (
    <HydrationBoundary state={state}>
      <SiteText key={page} page={page} />
    </HydrationBoundary>
  );
}
