import { rpc } from '#app/lib/api/rpc.ts';
import type { Locale } from '#app/lib/format/format.ts';
import type { SitePageName } from '#contract/domains/site-pages.ts';

/** The text of a page about the site. @param api the API as loaders on the server reach it. */
export const sitePageQuery = (page: SitePageName, locale: Locale, api: typeof rpc = rpc) =>
  api.sitePages.read.queryOptions({ input: { page, locale }, staleTime: Number.POSITIVE_INFINITY });

/** Where people can write to; changes with a restart only. */
export const contactQuery = (api: typeof rpc = rpc) =>
  api.sitePages.contact.queryOptions({ staleTime: Number.POSITIVE_INFINITY });
