import type { Handler } from '#server/jobs/handler.ts';
import { deliverMail } from '#server/mail/mail.ts';

export const sendMail: Handler<'send-mail'> = async ({ mailId }, { services, log }, { jobId, last }) => {
  const outcome = await deliverMail(services.db, services.mail, mailId, {
    publicUrl: services.publicUrl,
    secret: services.secret,
    site: services.settings.site(),
    supportEmail: services.supportEmail(),
    now: services.now(),
    last,
    endAttempts: (tx) => services.jobs.endAttempts(tx, jobId),
  });
  if (outcome === 'sent') log.info({ mail: mailId, target: services.mail.target }, 'mail sent');
  if (outcome === 'expired') log.warn({ mail: mailId }, 'mail not sent: its link or code has expired');
};
