import { admin } from '#server/http/api/procedures.ts';
import { marketView } from './figures.service.ts';

export const marketAdminApi = {
  read: admin.market.read.handler(({ input, context }) =>
    marketView(context.db, input, { enabled: context.marketEnabled, now: context.now() }),
  ),
};
