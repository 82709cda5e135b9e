// The former name of member-events.service.ts, until the files that import it from here are changed.
export { notifyOfPayment, notifyOfSecurity } from './member-events.service.ts';
