import { and, eq, gte, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { InboxSource } from '#contract/admin/inbox.ts';
import { mayAs } from '#contract/staff.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { adminProfiles, users } from '#server/db/tables/accounts.ts';
import { deliverables } from '#server/db/tables/deliverables.ts';
import { staffNotices } from '#server/db/tables/inbox.ts';
import { payments } from '#server/db/tables/payments.ts';
import { figuresByDay } from '#server/domains/admin/dashboard/dashboard.service.ts';
import { netIncomeByWeek } from '#server/domains/money/income.service.ts';
import { memberLocale } from '#server/domains/notifications/member-locale.service.ts';
import { notify } from '#server/domains/notifications/notify.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { queueMail } from '#server/mail/mail.ts';
import type { MailData } from '#server/mail/templates.ts';
import { overdueItems } from './inbox.service.ts';
import { isWorkOf } from './inbox-work.policy.ts';

interface ServiceContext {
  db: Db;
  jobs: JobQueue;
  now: Date;
}

type OverdueItem = MailData['staffOverdue']['items'][number] & { source: InboxSource };

/** Items listed in one mail; the rest are counted. */
const MAX_NAMED = 20;

/** Active admins. */
const recipients = (tx: Tx) =>
  tx
    .select({ id: users.id, email: users.email, staffRoles: adminProfiles.staffRoles })
    .from(adminProfiles)
    .innerJoin(users, eq(users.id, adminProfiles.id))
    .where(or(isNull(users.bannedUntil), lte(users.bannedUntil, sql`now()`)))
    .orderBy(users.id);

/** Queues a mail to an admin, in that person's language. */
const mailTo = async <T extends 'staffOverdue' | 'weeklyReport'>(
  tx: Tx,
  jobs: JobQueue,
  { id, email }: { id: string; email: string },
  template: T,
  data: MailData[T],
) => queueMail(tx, jobs, { to: email, locale: await memberLocale(tx, { id, email }), template, data });

/**
 * Notifies admins of overdue inbox items of their own work, once per item; one that changed and is waiting again is notified again.
 * In their notifications and browsers by their choice, and by mail when the settings say so. It is one transaction, so that only
 * one of two processes notifies.
 *
 * @param mails true to send mails as well.
 * @returns the number of items notified.
 */
export async function notifyOverdue({ db, jobs, now }: ServiceContext, { mails }: { mails: boolean }): Promise<number> {
  return db.transaction(async (tx) => {
    const fresh: OverdueItem[] = [];
    for (const { source, id, title, since } of await overdueItems(tx, now)) {
      const { rowCount } = await tx
        .insert(staffNotices)
        .values({ source, itemId: id, since, notifiedAt: now })
        .onConflictDoUpdate({
          target: [staffNotices.source, staffNotices.itemId],
          set: { since, notifiedAt: now },
          setWhere: sql`${staffNotices.since} < excluded.since`,
        });
      const hours = Math.floor((now.getTime() - since.getTime()) / 3_600_000);
      if (rowCount) fresh.push({ source, title, hours });
    }
    if (fresh.length === 0) return 0;
    const path = '/admin/inbox';
    for (const admin of await recipients(tx)) {
      const theirs = fresh.filter(({ source }) => isWorkOf(admin, source));
      if (theirs.length === 0) continue;
      await notify(tx, {
        kind: 'staff',
        detail: 'overdue',
        cause: `overdue:${now.toISOString()}`,
        to: [{ id: admin.id }],
        data: { number: theirs.length, path },
        now,
      });
      if (mails)
        await mailTo(tx, jobs, admin, 'staffOverdue', {
          items: theirs.slice(0, MAX_NAMED),
          more: Math.max(0, theirs.length - MAX_NAMED),
          path,
        });
    }
    return fresh.length;
  });
}

const DAY = 86_400_000;

/** The Monday, 0:00 UTC, at which the week of a given time began. */
const mondayOf = (at: Date) => {
  const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
  return new Date(midnight - ((at.getUTCDay() + 6) % 7) * DAY);
};

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/**
 * Mails the owners the figures of the last full week, Monday to Sunday in UTC, compared with the week before; once per week. An
 * installation that did not exist in that week sends none.
 *
 * @returns true when it was sent.
 */
export async function notifyWeek({ db, jobs, now }: ServiceContext): Promise<boolean> {
  const end = mondayOf(now);
  const [from, before] = [new Date(end.getTime() - 7 * DAY), new Date(end.getTime() - 14 * DAY)];
  return db.transaction(
    async (tx) => {
      const [older] = await tx.select({ id: users.id }).from(users).where(lte(users.createdAt, end)).limit(1);
      if (!older) return false;
      const { rowCount } = await tx
        .insert(staffNotices)
        .values({ source: 'week', itemId: dayOf(from), since: from, notifiedAt: now })
        .onConflictDoNothing();
      if (!rowCount) return false;
      const days = await figuresByDay(tx, 22, now);
      const sum = (of: (day: (typeof days)[number]) => number, since: Date, until: Date) =>
        days
          .filter(({ day }) => Date.parse(day) >= since.getTime() && Date.parse(day) < until.getTime())
          .reduce((all, day) => all + of(day), 0);
      const both = (of: (day: (typeof days)[number]) => number) => ({
        now: sum(of, from, end),
        before: sum(of, before, from),
      });
      // By the time at which nothing more was owed: a part of the price pays no order until the rest arrived, or the team accepted it.
      const paid = (since: Date, until: Date) =>
        tx.$count(
          payments,
          and(gte(payments.receiptAt, since), lt(payments.receiptAt, until), eq(payments.simulation, false)),
        );
      const income = await netIncomeByWeek(tx, dayOf(before));
      const report = {
        from: from.toISOString(),
        to: new Date(end.getTime() - DAY).toISOString(),
        views: both(({ views }) => views),
        arrivals: both(({ arrivals }) => arrivals),
        signUps: both(({ signUps }) => signUps),
        votes: both(({ votes }) => votes),
        posts: both(({ posts }) => posts),
        orders: { now: await paid(from, end), before: await paid(before, from) },
        revenueUsd: { now: income.get(dayOf(from)) ?? 0, before: income.get(dayOf(before)) ?? 0 },
        overdue: await tx.$count(deliverables, and(eq(deliverables.state, 'open'), lte(deliverables.dueAt, now))),
        path: '/admin/reports',
      };
      for (const admin of await recipients(tx))
        if (mayAs(admin.staffRoles, [])) await mailTo(tx, jobs, admin, 'weeklyReport', report);
      return true;
    },
    { work: 'report' },
  );
}
