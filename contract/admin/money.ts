import { z } from 'zod';
import { plan } from '../domains/payments.ts';
import { adminRead, listInput, pageOf } from './shared/list.ts';

/** US cents, as whole numbers; the name says so, also as the head of a column in the exported file. */
const cents = z.int();

/** Of a month, plan and network: what the money ledger says. */
const moneyRow = z.object({
  id: z.string(),
  /** '2026-11', UTC. */
  month: z.string(),
  /** Empty of money without an order. */
  plan: z.string(),
  network: z.string(),
  simulation: z.boolean(),
  /** Agreed, less what ended without money. */
  expectedCents: cents,
  /** Arrived in all, also what went back since. */
  receivedCents: cents,
  /** Let go by the team. */
  shortCents: cents,
  refundedCents: cents,
  /** What the provider kept, where it says so or the coin did not change: '0.5 eth, 2 usdttrc20'. */
  fees: z.string(),
  /** Money without an order, in the same form. */
  unplaced: z.string(),
  /** Deliverables of which the date went by in this month, still open. */
  overdue: z.int(),
  /** Open differences with the provider that were found in this month. */
  differences: z.int(),
});
export type MoneyRow = z.infer<typeof moneyRow>;

/** Under `admin.money`. */
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
