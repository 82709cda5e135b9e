import { z } from 'zod';
import { REPORT_WEEKS } from '../limits.ts';
import { PAGE_KINDS, type PageKind } from '../page-views.ts';
import { adminRead, listInput, pageOf } from './shared/list.ts';

const count = z.int().nonnegative();
/** The Monday of a week, UTC. */
const week = z.iso.date();

/**
 * Number of token requests that reached each stage, by the week in which the request was begun. `filled`: with everything that the form
 * requires; `step2` to `step5`: reached that step of the wizard, which one with an order has in any case.
 */
const funnelRow = z.object({
  week,
  started: count,
  filled: count,
  step2: count,
  step3: count,
  step4: count,
  step5: count,
  ordered: count,
  paid: count,
  delivered: count,
});
export type FunnelRow = z.infer<typeof funnelRow>;

/** Of the voters whose first vote was in a week: how many voted in it and in each week since, of which the current one is not over. */
const retentionRow = z.object({ week, voters: count, weeks: z.array(count).max(REPORT_WEEKS) });
export type RetentionRow = z.infer<typeof retentionRow>;

const moderationRow = z.object({
  week,
  reported: count,
  hidden: count,
  restored: count,
  kept: count,
  banned: count,
  /** Texts that were held until a moderator reads them, and those that one decided about. */
  waited: count,
  reviewed: count,
  appealed: count,
  appealsDecided: count,
  /** Decisions about requests to moderate. */
  requestsDecided: count,
});
export type ModerationRow = z.infer<typeof moderationRow>;

/** Page views of a UTC day, in total and by kind of page, and those of them that were reached from outside the site. */
const pageViewsRow = z.object({
  day: z.iso.date(),
  views: count,
  arrivals: count,
  ...(Object.fromEntries(PAGE_KINDS.map((kind) => [kind, count])) as Record<PageKind, typeof count>),
});
export type PageViewsRow = z.infer<typeof pageViewsRow>;

/** Time when the aggregates behind the reports were last computed; null before the first time. */
const asOf = z.iso.datetime().nullable();
export const adminFunnel = {
  list: adminRead(
    '/funnel',
    'Token requests by week: begun, filled in, by step of the wizard, ordered, paid, delivered',
    ['finance'],
  )
    .input(listInput(['week'], {}))
    .output(pageOf(funnelRow).extend({ asOf })),
};
export const adminRetention = {
  list: adminRead('/retention', 'Voters by the week of their first vote, and in how many weeks after it they voted', [
    'editor',
  ])
    .input(listInput(['week'], {}))
    .output(pageOf(retentionRow).extend({ asOf })),
};
export const adminModerationLoad = {
  list: adminRead(
    '/moderation-load',
    'Reports, hidden and restored texts, bans, reviews, appeals and requests to moderate by week',
    ['moderator'],
  )
    .input(listInput(['week'], {}))
    .output(pageOf(moderationRow).extend({ asOf })),
};
export const adminPageViews = {
  list: adminRead('/page-views', 'Pages shown by UTC day and kind of page', ['editor'])
    .input(listInput(['day'], {}))
    .output(pageOf(pageViewsRow)),
};
