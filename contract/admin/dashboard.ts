import { z } from 'zod';
import { ANY_STAFF } from '../staff.ts';
import { adminRead } from './shared/list.ts';

const count = z.int().nonnegative();

/** Null when the reader's staff roles have no part in this work. */
const theirs = count.nullable();

export const dashboardCounts = z.object({
  users: theirs,
  projects: theirs,
  nextProjects: theirs,
  votes: theirs,
  candidates: theirs,
  news: theirs,
  online: count,
  moderators: theirs,
  pendingModerators: theirs,
  posts: theirs,
  newSubmissions: theirs,
  /**
   * What waits for the team on the screen of token orders: paid requests without a token, payments that need attention, money without an
   * order, and tokens and networks with a problem.
   */
  pendingRequests: theirs,
  /** Inbox items within the reader's work, and those of them that nobody has taken; above MANY_FOUND only that there are more. */
  inbox: theirs,
  inboxFree: theirs,
});
export type DashboardCounts = z.infer<typeof dashboardCounts>;

export const dayFigures = z.object({
  day: z.iso.date(),
  votes: count,
  signUps: count,
  posts: count,
  /** Page views reported by browsers. */
  views: count,
  /**
   * US dollars of the orders paid on this day, less what went back of them since; without simulated payments. Null for readers without the
   * right to see money.
   */
  revenueUsd: z.number().nonnegative().nullable(),
});
export type DayFigures = z.infer<typeof dayFigures>;

export const adminDashboard = {
  counts: adminRead('/dashboard', 'Counts of the dashboard', ANY_STAFF).output(dashboardCounts),
  days: adminRead('/dashboard/days', 'Votes, sign-ups, posts, shown pages and revenue by UTC day', ANY_STAFF)
    .input(z.strictObject({ days: z.coerce.number().int().min(2).max(365).default(30) }))
    .output(z.array(dayFigures)),
};
