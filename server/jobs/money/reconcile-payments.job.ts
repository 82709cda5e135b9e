import type { Handler } from '#server/jobs/handler.ts';

/** Callbacks can be lost: fetches every payment that is due for a check. */
export const reconcilePayments: Handler<'reconcile-payments'> = async (_input, { services, log }) => {
  if (!services.payments.mode.available) return;
  const done = await services.payments.reconcile();
  if (done.polled > 0) log.info(done, 'payments reconciled');
};
