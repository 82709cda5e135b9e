import type { SiteNotices } from '#contract/domains/settings.ts';
import { languagesOf } from '#contract/site.ts';

/** A site with default settings. */
export const SITE_LOOK: SiteNotices['site'] = {
  name: 'Florka',
  mark: null,
  languages: [...languagesOf('both')],
  planNotes: {},
};
