import { notifyOverdue, notifyWeek } from '#server/domains/admin/notify-staff.service.ts';
import { eachAlone } from '#server/lib/each-alone.ts';
import type { Handler } from './handler.ts';

/** Mails the admins of what waits too long, and of the week that ended, where the settings say so. */
export const notifyStaff: Handler<'notify-staff'> = async (_input, { services: { db, jobs, now, settings }, log }) => {
  const context = { db, jobs, now: now() };
  await eachAlone(
    [
      async () => {
        const items = settings.get('overdueMails') ? await notifyOverdue(context) : 0;
        if (items > 0) log.info({ items }, 'admins told of overdue work');
      },
      async () => {
        if (settings.get('weeklyReport') && (await notifyWeek(context))) log.info('admins told of the week');
      },
    ],
    (part) => part(),
  );
};
