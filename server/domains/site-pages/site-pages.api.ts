import { open } from '#server/http/api/procedures.ts';
import { readSitePage } from './site-pages.service.ts';

export const sitePagesApi = {
  read: open.sitePages.read.handler(({ input, context }) => readSitePage(context.db, input.page, input.locale)),
  contact: open.sitePages.contact.handler(({ context }) => ({ supportEmail: context.supportEmail })),
};
