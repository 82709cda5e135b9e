import type { Handler } from '#server/jobs/handler.ts';

/** Fetches the payment that a signed callback names; the content of the callback itself is not used. */
export const fetchPayment: Handler<'fetch-payment'> = ({ eventId }, { services }) =>
  services.payments.processCallback(eventId);
