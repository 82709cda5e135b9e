import type { Handler } from '#server/jobs/handler.ts';

/** Goes to look what a signed callback is about; the callback itself never counts. */
export const followPayment: Handler<'follow-payment'> = ({ eventId }, { services }) =>
  services.payments.follow(eventId);
