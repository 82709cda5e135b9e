import { fail } from '#server/lib/fail.ts';
import type { PaymentDesk } from './payments.port.ts';

/**
 * Payments of an installation that may be paused: then none is created and the provider is not asked. Callbacks are still
 * stored, so that none is lost; their jobs wait.
 *
 * @param paused asked before each act.
 */
export const pausableDesk = (desk: PaymentDesk, paused: () => Promise<boolean>): PaymentDesk => ({
  ...desk,
  async pay(order) {
    if (await paused()) fail('PAYMENT_UNAVAILABLE');
    return desk.pay(order);
  },
  async place(...about) {
    if (await paused()) fail('PAYMENT_UNAVAILABLE');
    return desk.place(...about);
  },
  check: async (...asked) => ((await paused()) ? 'unknown' : desk.check(...asked)),
  reconcile: async () => ((await paused()) ? { asked: 0, unknown: 0 } : desk.reconcile()),
});
