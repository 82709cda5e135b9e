import { dropEndedClaims } from '#server/domains/admin/inbox/inbox.service.ts';
import { notifyOverdue, notifyWeek } from '#server/domains/admin/inbox/notify-staff.service.ts';
import type { Handler } from '#server/jobs/handler.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';

/** Notifies admins of overdue work, mails the weekly report if the settings enable both mails, and drops claims of ended work. */
export const notifyStaff: Handler<'notify-staff'> = async (_input, { services: { db, jobs, now, settings }, log }) => {
  const context = { db, jobs, now: now() };
  await runEachSettled(
    [
      async () => {
        const items = await notifyOverdue(context, { mails: settings.get('overdueMails') });
        if (items > 0) log.info({ items }, 'admins notified of overdue work');
      },
      async () => {
        if (settings.get('weeklyReport') && (await notifyWeek(context))) log.info('weekly report queued');
      },
      async () => {
        const claims = await dropEndedClaims(db);
        if (claims > 0) log.info({ claims }, 'claims of work that ended dropped');
      },
    ],
    (part) => part(),
  );
};
