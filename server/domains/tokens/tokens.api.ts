import { open } from '#server/http/procedures.ts';
import { findToken } from './tokens.service.ts';

export const tokensApi = {
  find: open.tokens.find.handler(({ input, context }) => findToken(context.db, input.slug, context.now())),
};
