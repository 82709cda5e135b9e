import { admin } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import { listSitePages, restoreSitePage, saveSitePage, sitePageHistory } from './site-pages.service.ts';

export const sitePagesAdminApi = {
  list: admin.sitePages.list.handler(({ context }) => listSitePages(context.db)),
  history: admin.sitePages.history.handler(({ input, context }) => sitePageHistory(context.db, input.page)),
  save: admin.sitePages.save.handler(({ input: { page, version, ...texts }, context }) =>
    saveSitePage(context.db, editorOf(context), { page, version }, texts),
  ),
  restore: admin.sitePages.restore.handler(({ input: { restore, ...seen }, context }) =>
    restoreSitePage(context.db, editorOf(context), seen, restore),
  ),
};
