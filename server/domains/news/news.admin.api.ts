import { admin } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import { createNews, listAllNews, readNewsForAdmin, removeNews, restoreNews, updateNews } from './manage.service.ts';

export const newsAdminApi = {
  list: admin.news.list.handler(({ input, context }) => listAllNews(context.db, input)),
  read: admin.news.read.handler(({ input, context }) => readNewsForAdmin(context.db, input.id)),
  create: admin.news.create.handler(({ input, context }) =>
    createNews(context.db, context.media, editorOf(context), input),
  ),
  update: admin.news.update.handler(({ input, context }) =>
    updateNews(context.db, context.media, editorOf(context), input),
  ),
  remove: admin.news.remove.handler(({ input, context }) => removeNews(context.db, editorOf(context), input)),
  restore: admin.news.restore.handler(({ input, context }) => restoreNews(context.db, editorOf(context), input)),
};
