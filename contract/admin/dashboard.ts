import { z } from 'zod';
import { ANY_STAFF } from '../staff.ts';
import { adminRead } from './shared/list.ts';

const count = z.int().nonnegative();

/** Null: no work of the reader's. */
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
  /** Orders of tokens that wait for the team: paid without a token, stopped, or with money to look at. */
  pendingRequests: theirs,
  /** Items of the inbox that are the reader's work, and those that nobody took. */
  inbox: theirs,
  inboxFree: theirs,
});
export type DashboardCounts = z.infer<typeof dashboardCounts>;

export const dayFigures = z.object({
  day: z.iso.date(),
  votes: count,
  signUps: count,
  posts: count,
  /** Pages that were shown, as browsers told. */
  views: count,
  /** Whole US dollars received; the simulation's are not money. Null for whoever does not see the money. */
  revenueUsd: z.number().nonnegative().nullable(),
});
export type DayFigures = z.infer<typeof dayFigures>;

export const adminDashboard = {
  counts: adminRead('/dashboard', 'Counts of the dashboard', ANY_STAFF).output(dashboardCounts),
  days: adminRead('/dashboard/days', 'Votes, sign-ups, posts, shown pages and revenue by UTC day', ANY_STAFF)
    .input(z.strictObject({ days: z.coerce.number().int().min(2).max(365).default(30) }))
    .output(z.array(dayFigures)),
};
