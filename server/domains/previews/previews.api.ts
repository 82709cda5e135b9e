import { open } from '#server/http/api/procedures.ts';
import { readPreview } from './previews.service.ts';

export const previewsApi = {
  read: open.previews.read.handler(({ input, context }) =>
    readPreview(context.db, context.settings, input.key, context.now()),
  ),
};
