import { z } from 'zod';
import { adminRead } from './list.ts';

const count = z.int().nonnegative();

export const dashboardCounts = z.object({
  users: count,
  projects: count,
  nextProjects: count,
  votes: count,
  candidates: count,
  news: count,
  online: count,
  moderators: count,
  pendingModerators: count,
  posts: count,
  newSubmissions: count,
  /** Orders of tokens that wait for the team: paid without a token, stopped, or with money to look at. */
  pendingRequests: count,
  /** Items of the inbox, and those that nobody took. */
  inbox: count,
  inboxFree: count,
});
export type DashboardCounts = z.infer<typeof dashboardCounts>;

export const dayFigures = z.object({
  day: z.iso.date(),
  votes: count,
  signUps: count,
  posts: count,
  /** Whole US dollars received; the simulation's are not money. */
  revenueUsd: z.number().nonnegative(),
});
export type DayFigures = z.infer<typeof dayFigures>;

export const adminDashboard = {
  counts: adminRead('/dashboard', 'Counts of the dashboard').output(dashboardCounts),
  days: adminRead('/dashboard/days', 'Votes, sign-ups, posts and revenue by UTC day')
    .input(z.strictObject({ days: z.coerce.number().int().min(2).max(365).default(30) }))
    .output(z.array(dayFigures)),
};
