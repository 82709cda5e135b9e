import type { Handler } from './handler.ts';

/** Callbacks get lost: asks about every payment whose time has come. */
export const reconcilePayments: Handler<'reconcile-payments'> = async (_input, { house, log }) => {
  if (!house.payments.mode.available) return;
  const done = await house.payments.reconcile();
  if (done.asked > 0) log.info(done, 'payments reconciled');
};
