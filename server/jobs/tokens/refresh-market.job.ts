import type { Handler } from '#server/jobs/handler.ts';

/** Fetches market data of tokens that are due. */
export const refreshMarket: Handler<'refresh-market'> = async (_input, { services, log }) => {
  if (!services.market.enabled) return;
  const done = await services.market.refresh();
  if (done.polled > 0) log.debug(done, 'market data refreshed');
};
