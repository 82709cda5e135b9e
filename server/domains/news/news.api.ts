import { open } from '#server/http/procedures.ts';
import { takeSearch } from '#server/lib/search-limits.ts';
import { findNews, listNews } from './news.service.ts';

export const newsApi = {
  list: open.news.list.handler(async ({ input, context }) => {
    if (input.q) await takeSearch(context, 'more');
    return listNews(context.db, input);
  }),
  byId: open.news.byId.handler(({ input, context }) => findNews(context.db, input.id)),
};
