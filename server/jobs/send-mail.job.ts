import { deliverMail } from '#server/mail/mail.ts';
import type { Handler } from './handler.ts';

/** Delivers one queued mail. */
export const sendMail: Handler<'send-mail'> = async ({ mailId }, { house, log }, { last }) => {
  const outcome = await deliverMail(house.db, house.mail, mailId, {
    publicUrl: house.publicUrl,
    now: house.now(),
    last,
  });
  if (outcome === 'sent') log.info({ mail: mailId, target: house.mail.target }, 'mail handed over');
  if (outcome === 'expired') log.warn({ mail: mailId }, 'mail not sent: its link or code has ended');
};
