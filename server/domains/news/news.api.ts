import { open } from '#server/http/procedures.ts';
import { findNews, listNews } from './news.service.ts';

export const newsApi = {
  list: open.news.list.handler(({ input, context }) => listNews(context.db, input)),
  byId: open.news.byId.handler(({ input, context }) => findNews(context.db, input.id)),
};
