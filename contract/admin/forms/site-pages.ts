import { z } from 'zod';
import { SITE_PAGE_BODY_MAX, SITE_PAGE_TITLE_MAX } from '../../limits.ts';

/** Texts in both languages; they are published together only. */
export const sitePageForm = z.object({
  titleEs: z.string().trim().min(1).max(SITE_PAGE_TITLE_MAX),
  bodyEs: z.string().trim().min(1).max(SITE_PAGE_BODY_MAX),
  titleEn: z.string().trim().min(1).max(SITE_PAGE_TITLE_MAX),
  bodyEn: z.string().trim().min(1).max(SITE_PAGE_BODY_MAX),
});
export type SitePageTexts = z.infer<typeof sitePageForm>;
