import { rpc } from '#app/lib/api/rpc.ts';
import type { Locale } from '#app/lib/format/format.ts';
import type { SitePageName } from '#contract/domains/site-pages.ts';

/** The text of a page about the site. @param api the API client; on the server that of the loaders. */
export const sitePageQuery = (page: SitePageName, locale: Locale, api: typeof rpc = rpc) =>
  api.sitePages.read.queryOptions({ input: { page, locale }, staleTime: Number.POSITIVE_INFINITY });

/** The contact address; a live event announces its changes. */
export const contactQuery = (api: typeof rpc = rpc) =>
  api.sitePages.contact.queryOptions({ staleTime: Number.POSITIVE_INFINITY });
