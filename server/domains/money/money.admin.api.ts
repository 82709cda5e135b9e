import { admin } from '#server/http/api/procedures.ts';
import { listIncome, listLaunchIncome } from './income.service.ts';
import { listPayments } from './payment-list.service.ts';
import { listMoney } from './report.service.ts';

export const moneyAdminApi = {
  list: admin.money.list.handler(({ input, context }) => listMoney(context.reads, input)),
};

export const paymentListAdminApi = {
  list: admin.payments.list.handler(({ input, context }) => listPayments(context.reads, input)),
};

export const incomeAdminApi = {
  list: admin.income.list.handler(({ input, context }) => listIncome(context.reads, context.now(), input)),
};

export const launchIncomeAdminApi = {
  list: admin.launchIncome.list.handler(({ input, context }) => listLaunchIncome(context.reads, input)),
};
