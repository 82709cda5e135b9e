import { marketView } from '#server/domains/market/figures.service.ts';
import { admin } from '#server/http/procedures.ts';

export const marketAdminApi = {
  read: admin.market.read.handler(({ input, context }) =>
    marketView(context.db, input, { enabled: context.marketEnabled, now: context.now() }),
  ),
};
