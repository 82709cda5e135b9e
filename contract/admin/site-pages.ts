import { z } from 'zod';
import { sitePageName } from '../domains/site-pages.ts';
import { errors } from '../errors.ts';
import { sitePageForm } from './forms/site-pages.ts';
import { adminRead, adminWrite } from './shared/list.ts';

const version = z.object({
  version: z.int().positive(),
  savedAt: z.iso.datetime(),
  /** The author of the version; null when the account was deleted. */
  savedBy: z.string().nullable(),
  /** The number of the version that this one restored. */
  restoredFrom: z.int().positive().nullable(),
  // Unvalidated, because stored texts can be older than the rules of the form.
  texts: z.object({ titleEs: z.string(), bodyEs: z.string(), titleEn: z.string(), bodyEn: z.string() }),
});
export type SitePageVersion = z.infer<typeof version>;

const state = z.object({
  page: sitePageName,
  /** 0 while the built-in text is in use. */
  version: z.int().nonnegative(),
  savedAt: z.iso.datetime().nullable(),
  savedBy: z.string().nullable(),
});
export type SitePageState = z.infer<typeof state>;

const saved = z.object({ page: sitePageName, version: z.int().positive() });
const seen = z.strictObject({ page: sitePageName, version: z.int().nonnegative() });
const saving = { VERSION_CONFLICT: errors.VERSION_CONFLICT };

export const adminSitePages = {
  list: adminRead('/site-pages', 'The pages about the site, and who wrote them last', ['editor']).output(
    z.array(state),
  ),
  history: adminRead('/site-pages/{page}', 'The versions of a page, newest first; 200 at most', ['editor'])
    .input(z.strictObject({ page: sitePageName }))
    .output(z.array(version)),
  save: adminWrite('PUT', '/site-pages/{page}', 'Publish a new version of a page', ['editor'])
    .errors(saving)
    .input(seen.extend(sitePageForm.shape))
    .output(saved),
  /** Publishes an older version again as the newest one; nothing is deleted. */
  restore: adminWrite('POST', '/site-pages/{page}/restore', 'Publish an older version of a page again', ['editor'])
    .errors({ ...saving, NOT_FOUND: errors.NOT_FOUND })
    .input(seen.extend({ restore: z.int().positive() }))
    .output(saved),
};
