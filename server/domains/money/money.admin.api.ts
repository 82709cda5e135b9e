import { admin } from '#server/http/api/procedures.ts';
import { listMoney } from './report.service.ts';

export const moneyAdminApi = {
  list: admin.money.list.handler(({ input, context }) => listMoney(context.reads, input)),
};
