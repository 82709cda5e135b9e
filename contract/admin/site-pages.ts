import { z } from 'zod';
import { errors } from '../errors.ts';
import { SITE_PAGE_BODY_MAX, SITE_PAGE_TITLE_MAX } from '../limits.ts';
import { sitePageName } from '../site-pages.ts';
import { adminRead, adminWrite } from './list.ts';

/** The texts of both languages: one is never published without the other. */
const texts = z.object({
  titleEs: z.string().trim().min(1).max(SITE_PAGE_TITLE_MAX),
  bodyEs: z.string().trim().min(1).max(SITE_PAGE_BODY_MAX),
  titleEn: z.string().trim().min(1).max(SITE_PAGE_TITLE_MAX),
  bodyEn: z.string().trim().min(1).max(SITE_PAGE_BODY_MAX),
});
export type SitePageTexts = z.infer<typeof texts>;

const version = z.object({
  version: z.int().positive(),
  savedAt: z.iso.datetime(),
  /** Who saved it; null when the account is gone. */
  savedBy: z.string().nullable(),
  /** Of a restored version: which one it repeats. */
  restoredFrom: z.int().positive().nullable(),
  texts,
});
export type SitePageVersion = z.infer<typeof version>;

const state = z.object({
  page: sitePageName,
  /** 0 while the built-in text stands. */
  version: z.int().nonnegative(),
  savedAt: z.iso.datetime().nullable(),
  savedBy: z.string().nullable(),
});
export type SitePageState = z.infer<typeof state>;

const saved = z.object({ page: sitePageName, version: z.int().positive() });
const seen = z.strictObject({ page: sitePageName, version: z.int().nonnegative() });
const saving = { VERSION_CONFLICT: errors.VERSION_CONFLICT, NOT_VALID: errors.NOT_VALID };

export const adminSitePages = {
  list: adminRead('/site-pages', 'The pages about the site, and who wrote them last').output(z.array(state)),
  history: adminRead('/site-pages/{page}', 'All versions of a page, newest first')
    .input(z.strictObject({ page: sitePageName }))
    .output(z.array(version)),
  save: adminWrite('PUT', '/site-pages/{page}', 'Publish a new version of a page')
    .errors(saving)
    .input(seen.extend(texts.shape))
    .output(saved),
  /** An older version becomes the newest one; nothing is removed. */
  restore: adminWrite('POST', '/site-pages/{page}/restore', 'Publish an older version of a page again')
    .errors({ ...saving, NOT_FOUND: errors.NOT_FOUND })
    .input(seen.extend({ restore: z.int().positive() }))
    .output(saved),
};
