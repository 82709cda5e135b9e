import { open } from '#server/http/api/procedures.ts';
import { explore } from './explore.service.ts';
import { findToken } from './tokens.service.ts';

export const tokensApi = {
  explore: open.tokens.explore.handler(({ input, context }) => explore(context.db, input, context.now())),
  find: open.tokens.find.handler(({ input, context }) => findToken(context.db, input.slug, context.now())),
};
