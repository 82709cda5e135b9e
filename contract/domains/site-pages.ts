import { oc } from '@orpc/contract';
import { z } from 'zod';
import { SITE_PAGES } from '../limits.ts';

export const sitePageName = z.enum(SITE_PAGES);
export type SitePageName = z.infer<typeof sitePageName>;

/** A page about the site itself, in one language. */
export const sitePage = z.object({
  page: sitePageName,
  /** Which text of an operator this is; 0 while nobody wrote one, and the built-in text stands. */
  version: z.int().nonnegative(),
  title: z.string().nullable(),
  /** Source with the product's light markup, headings and lists; null for the built-in text. */
  body: z.string().nullable(),
  /** When this version was saved. */
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
  /** Where people can write to. */
  contact: oc
    .route({ method: 'GET', path: '/site-contact', tags: ['sitePages'], summary: 'The address for questions' })
    .output(z.object({ supportEmail: z.string().nullable() })),
};
