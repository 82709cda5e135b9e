import { limitSearch } from '#server/http/api/guarantees.ts';
import { open } from '#server/http/api/procedures.ts';
import { findEverything } from './search.service.ts';

export const searchApi = {
  find: open.search.find
    .use(limitSearch(({ purpose }: { purpose?: string | undefined }) => (purpose === 'typing' ? 'more' : 'first')))
    .handler(({ input, context }) => findEverything(context.db, input)),
};
