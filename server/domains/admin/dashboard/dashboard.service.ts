import type { DashboardCounts, DayFigures } from '#contract/admin/dashboard.ts';
import { contract } from '#contract/index.ts';
import { ONLINE_MINUTES } from '#contract/limits.ts';
import { mayAs, type StaffRole } from '#contract/staff.ts';
import type { Reader } from '#server/db/client.ts';
import { countInbox } from '#server/domains/admin/inbox/inbox.service.ts';
import { lastUtcDays } from '#server/lib/clock.ts';
import { opensTo, type WithRights } from '#server/lib/staff-rights.ts';
import { readCounts, readDays } from './dashboard.sql.ts';

type Reading = { staffRoles: readonly StaffRole[] };
const { admin } = contract;

/** The list that each count belongs to: an admin sees the count if they may read the list. */
const LISTS: Readonly<Record<Exclude<keyof DashboardCounts, 'online'>, WithRights>> = {
  users: admin.users.list,
  projects: admin.projects.list,
  nextProjects: admin.nextProjects.list,
  votes: admin.candidates.list,
  candidates: admin.candidates.list,
  news: admin.news.list,
  moderators: admin.roles.list,
  pendingModerators: admin.moderatorRequests.list,
  posts: admin.forum.list,
  newSubmissions: admin.submissions.list,
  // Requires the right to settle them, because they are work; the right to read is not sufficient.
  pendingRequests: admin.tokenRequests.close,
  inbox: admin.inbox.list,
  inboxFree: admin.inbox.list,
};

/** Counts of the dashboard; null where the reader may not read the list. */
export async function dashboardCounts(db: Reader, me: Reading, now: Date): Promise<DashboardCounts> {
  const onlineSince = new Date(now.getTime() - ONLINE_MINUTES * 60_000);
  const [[row], inbox] = await Promise.all([readCounts(db, { onlineSince }), countInbox(db, me)]);
  if (!row) throw new Error('no counts');
  const all: DashboardCounts = { ...row, pendingRequests: inbox.tokens, inbox: inbox.all, inboxFree: inbox.free };
  const shown = Object.entries(all).map(([name, value]) => {
    const list = (LISTS as Readonly<Record<string, WithRights>>)[name];
    return [name, list && !mayAs(me.staffRoles, opensTo(list)) ? null : value];
  });
  return Object.fromEntries(shown) as DashboardCounts;
}

/** Figures of a UTC day with its revenue, and the number of page views that came from outside the site. */
export type WholeDay = DayFigures & { revenueUsd: number; arrivals: number };

/** Figures of the last UTC days, including today, oldest first; zeros for a day without data. */
export function figuresByDay(db: Reader, days: number, now: Date): Promise<WholeDay[]> {
  const utcDays = lastUtcDays(now, days);
  return readDays(db, { first: utcDays[0] ?? '', last: utcDays.at(-1) ?? '' });
}

/** The same, as far as the reader may see them: revenue only with the right to see money. */
export async function figuresFor(db: Reader, me: Reading, days: number, now: Date): Promise<DayFigures[]> {
  const all = await figuresByDay(db, days, now);
  return mayAs(me.staffRoles, opensTo(admin.money.list)) ? all : all.map((day) => ({ ...day, revenueUsd: null }));
}
