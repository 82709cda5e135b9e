import { z } from 'zod';
import { requiredText } from '../../fields/schemas.ts';
import { SITE_PAGE_BODY_MAX, SITE_PAGE_TITLE_MAX } from '../../limits.ts';

/** Texts in both languages; they are published together only. */
export const sitePageForm = z.object({
  titleEs: requiredText(1, SITE_PAGE_TITLE_MAX),
  bodyEs: requiredText(1, SITE_PAGE_BODY_MAX),
  titleEn: requiredText(1, SITE_PAGE_TITLE_MAX),
  bodyEn: requiredText(1, SITE_PAGE_BODY_MAX),
});
export type SitePageTexts = z.infer<typeof sitePageForm>;
