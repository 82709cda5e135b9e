import type { Handler } from '#server/jobs/handler.ts';

/** Fetches the payment that a signed callback names; the content of the callback itself is not used. */
export const followPayment: Handler<'follow-payment'> = ({ eventId }, { services }) =>
  services.payments.follow(eventId);
