import { oc } from '@orpc/contract';
import { z } from 'zod';
import { SITE_PAGES } from '../limits.ts';

export const sitePageName = z.enum(SITE_PAGES);
export type SitePageName = z.infer<typeof sitePageName>;

/** A page about the site itself, in one language. */
export const sitePage = z.object({
  page: sitePageName,
  /** Version of the operator's text; 0 while the built-in text is in use. */
  version: z.int().nonnegative(),
  title: z.string().nullable(),
  /** Source text in the product's light markup, with headings and lists; null for the built-in text. */
  body: z.string().nullable(),
  /** Time when this version was saved. */
  updatedAt: z.iso.datetime().nullable(),
});
export type SitePage = z.infer<typeof sitePage>;

export const sitePages = {
  read: oc
    .route({
      method: 'GET',
      path: '/site-pages/{page}',
      tags: ['sitePages'],
      summary: 'The text of a page about the site: about, terms, privacy and so on',
    })
    .input(z.strictObject({ page: sitePageName, locale: z.enum(['es', 'en']).default('es') }))
    .output(sitePage),
  /** The site's contact addresses. */
  contact: oc
    .route({ method: 'GET', path: '/site-contact', tags: ['sitePages'], summary: 'The address for questions' })
    .output(z.object({ supportEmail: z.string().nullable() })),
};
