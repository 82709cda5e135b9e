import { open } from '#server/http/api/procedures.ts';
import { priceHistory } from './figures.service.ts';

export const marketApi = {
  prices: open.market.prices.handler(({ input, context }) => priceHistory(context.db, input, context.now())),
};
