import { z } from 'zod';
import { plan } from '../domains/payments.ts';
import { adminRead, listInput, pageOf } from './shared/list.ts';

/** Whole US cents. The unit is part of the field's name, which also heads the column of the export. */
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

/** Mounted as `admin.money`. */
export const adminMoney = {
  list: adminRead('/money', 'Money by month, plan and network', ['finance'])
    .input(
      listInput(['month'], {
        plan: plan.optional(),
        network: z.string().max(40).optional(),
        simulation: z.enum(['yes', 'no']).optional(),
      }),
    )
    .output(pageOf(moneyRow)),
};
