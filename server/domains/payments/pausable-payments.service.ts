import { fail } from '#server/lib/errors/fail.ts';
import type { PaymentService } from './payments.port.ts';

/**
 * Payment service of an installation that may be paused: while it is paused, no payment is created, and no request causes a request to the
 * provider. Callbacks are still stored, so that none is lost; after a restart of the site their jobs wait.
 *
 * @param paused evaluated before each action.
 */
export const pausablePayments = (service: PaymentService, paused: () => Promise<boolean>): PaymentService => ({
  ...service,
  // A getter, because a copied value would be the mode at the start.
  get mode() {
    return service.mode;
  },
  async pay(order) {
    if (await paused()) fail('PAYMENT_UNAVAILABLE');
    return service.pay(order);
  },
  async place(...about) {
    if (await paused()) fail('PAYMENT_UNAVAILABLE');
    return service.place(...about);
  },
  check: async (...parameters) => ((await paused()) ? 'unknown' : service.check(...parameters)),
  poll: async (...parameters) => !(await paused()) && service.poll(...parameters),
  reconcile: async () => ((await paused()) ? { polled: 0, unknown: 0 } : service.reconcile()),
});
