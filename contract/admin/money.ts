import { z } from 'zod';
import { paymentState, plan } from '../domains/payments.ts';
import { adminRead, listInput, pageOf } from './shared/list.ts';

/** Whole US cents. The unit is part of the field's name, which heads the column of the export for programs. */
const cents = z.int();

/** Totals of the money ledger for one month, plan and network. */
const moneyRow = z.object({
  id: z.string(),
  /** Month such as '2026-11', UTC. */
  month: z.string(),
  /** Empty for money without an order. */
  plan: z.string(),
  network: z.string(),
  simulation: z.boolean(),
  /** Agreed prices, minus those of orders that ended without a payment. */
  expectedCents: cents,
  /** Total received, including money refunded since. */
  receivedCents: cents,
  /** Shortfall waived by the team. */
  shortCents: cents,
  refundedCents: cents,
  /** Fees of the payment provider, when it reports them or the coin was not converted: '0.5 eth, 2 usdttrc20'. */
  fees: z.string(),
  /** Money without an order, in the same format. */
  unplaced: z.string(),
  /** Deliverables whose date passed in this month and that are still open. */
  overdue: z.int(),
  /** Open differences with the payment provider that were found in this month. */
  differences: z.int(),
});
export type MoneyRow = z.infer<typeof moneyRow>;

/** Filters of the lists by month and of payments one by one. */
const filters = {
  plan: plan.optional(),
  network: z.string().max(40).optional(),
  simulation: z.enum(['yes', 'no']).optional(),
};
export type MoneyFilters = z.infer<z.ZodObject<typeof filters>>;

/** Mounted as `admin.money`. */
export const adminMoney = {
  list: adminRead('/money', 'Money by month, plan and network', ['finance'])
    .input(listInput(['month'], filters))
    .output(pageOf(moneyRow)),
};

/** A payment: one order with the money that arrived for it. */
const paymentRow = z.object({
  id: z.uuid(),
  orderId: z.string(),
  /** `confirmedAt`; before that, `createdAt`. */
  at: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  /** When the order was first paid, at least in part, or a deposit was first accepted by an admin; null before. */
  confirmedAt: z.iso.datetime().nullable(),
  tokenName: z.string(),
  plan,
  /** The network of the order, as in the money ledger: its payer may choose another one later. Empty when none was chosen. */
  network: z.string(),
  state: paymentState,
  /** The price of the plan when it was ordered. */
  priceCents: cents,
  /** What arrived for the order, with all its deposits and including money refunded since: '0.5 eth, 2 usdttrc20'. */
  amounts: z.string(),
  /** The same in US dollars, at the rate of each deposit; one that does not match the order only once it was accepted. */
  receivedCents: cents,
  refundedCents: cents,
  /** Refunds with their states: 'RF-… sent'; empty without one. */
  refunds: z.string(),
  providerPaymentId: z.string(),
  simulation: z.boolean(),
});
export type PaymentListRow = z.infer<typeof paymentRow>;

/** Mounted as `admin.payments`. */
export const adminPaymentList = {
  list: adminRead('/payments', 'Payments, one by one', ['finance'])
    .input(
      listInput(['at'], {
        ...filters,
        /** Of their `at`, UTC: '2026-11'. */
        month: z
          .string()
          .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
          .optional(),
        state: paymentState.optional(),
      }),
    )
    .output(pageOf(paymentRow)),
};

/** What income consists of, by week and by token. */
const incomeSums = {
  receivedCents: cents,
  refundedCents: cents,
  /** Received minus refunded. */
  netCents: cents,
};

/** Income of a week by the money ledger. Real and simulated money are rows of their own. */
const incomeRow = z.object({
  id: z.string(),
  /** Its Monday, UTC. */
  week: z.iso.date(),
  simulation: z.boolean(),
  /** Number of orders for which money arrived. */
  orders: z.int().nonnegative(),
  ...incomeSums,
});
export type IncomeRow = z.infer<typeof incomeRow>;

/** Mounted as `admin.income`. */
export const adminIncome = {
  list: adminRead('/income', 'Income by week', ['finance'])
    .input(listInput(['week'], {}))
    .output(pageOf(incomeRow)),
};

/** Income from one token: of the request for it, with all its orders. */
const launchIncomeRow = z.object({
  id: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  plan,
  network: z.string(),
  /** Simulated money is only counted where no real money arrived. */
  simulation: z.boolean(),
  /** When the request was begun. */
  createdAt: z.iso.datetime(),
  /** True once the token exists or was delivered by hand. */
  delivered: z.boolean(),
  ...incomeSums,
});
export type LaunchIncomeRow = z.infer<typeof launchIncomeRow>;

/** Mounted as `admin.launchIncome`. */
export const adminLaunchIncome = {
  list: adminRead('/launch-income', 'Income by token', ['finance'])
    .input(listInput(['createdAt'], {}))
    .output(pageOf(launchIncomeRow)),
};
