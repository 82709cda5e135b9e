import { admin } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import { listImages, readImage, removeImages, replaceImage, restoreImages } from './library.service.ts';

export const libraryAdminApi = {
  list: admin.media.list.handler(({ input, context }) => listImages(context.db, context.me, input)),
  read: admin.media.read.handler(({ input, context }) => readImage(context.db, input.id)),
  replace: admin.media.replace.handler(({ input, context }) =>
    replaceImage(context.db, context.media, editorOf(context), input),
  ),
  remove: admin.media.remove.handler(({ input, context }) => removeImages(context.db, editorOf(context), input)),
  restore: admin.media.restore.handler(({ input, context }) => restoreImages(context.db, editorOf(context), input)),
};
