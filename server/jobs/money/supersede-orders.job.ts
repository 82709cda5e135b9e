import type { Handler } from '#server/jobs/handler.ts';

/** Supersedes older orders that an earlier version left when their payer changed the plan. */
export const supersedeOrders: Handler<'supersede-orders'> = async (_input, { services, log }) => {
  const superseded = await services.payments.supersedeMissed();
  if (superseded > 0) log.info({ superseded }, 'older orders superseded');
};
