import type { DashboardCounts, DayFigures } from '#contract/admin/dashboard.ts';
import { ONLINE_MINUTES } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { lastUtcDays } from '#server/lib/clock.ts';
import { readCounts, readDays } from './dashboard.sql.ts';
import { countInbox } from './inbox.service.ts';

/** What the dashboard counts, each by its own index. */
export async function dashboardCounts(db: Reader, now: Date): Promise<DashboardCounts> {
  const onlineSince = new Date(now.getTime() - ONLINE_MINUTES * 60_000);
  const [[row], inbox] = await Promise.all([readCounts(db, { onlineSince }), countInbox(db)]);
  if (!row) throw new Error('no counts');
  return { ...row, pendingRequests: inbox.tokens, inbox: inbox.all, inboxFree: inbox.free };
}

/** Figures of the last UTC days, today included, oldest first; a day without anything has zeros. */
export function figuresByDay(db: Reader, days: number, now: Date): Promise<DayFigures[]> {
  const utcDays = lastUtcDays(now, days);
  return readDays(db, { first: utcDays[0] ?? '', last: utcDays.at(-1) ?? '' });
}
