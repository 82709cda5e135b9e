import { limitSearch } from '#server/http/api/guarantees.ts';
import { open } from '#server/http/api/procedures.ts';
import { findNews, listNews } from './news.service.ts';

export const newsApi = {
  list: open.news.list
    .use(limitSearch(({ q }: { q?: string | undefined }) => (q ? 'more' : null)))
    .handler(async ({ input, context }) => {
      return listNews(context.db, input);
    }),
  byId: open.news.byId.handler(({ input, context }) => findNews(context.db, input.id)),
};
