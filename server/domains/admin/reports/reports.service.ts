import type { FunnelRow, ModerationRow, RetentionRow } from '#contract/admin/reports.ts';
import { REPORT_WEEKS } from '#contract/limits.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { monday } from '#server/lib/clock.ts';
import {
  addVoterWeeks,
  readLastVote,
  readMark,
  readRetention,
  readWeeks,
  setMark,
  sumDays,
  sumRetention,
} from './reports.sql.ts';

const DAY = 86_400_000;
/** Ids of votes per transaction: one for all, as at the first run after an update, may exceed its time limit in every run. */
const VOTES_AT_ONCE = 200_000;

/**
 * Updates the sums for reports: weeks of voters incrementally from new votes, and days of the last weeks completely, because the
 * outcome of a request counts for the day on which it was begun. Safe to repeat and to run in several processes.
 */
export async function sumReports(db: Db, now: Date): Promise<void> {
  const since = monday(now, REPORT_WEEKS - 1);
  const [last] = await readLastVote(db, {});
  const [marked] = await readMark(db, { name: 'votes' });
  const end = last?.id ?? 0;
  let until = marked?.mark ?? 0;
  do {
    until = Math.min(until + VOTES_AT_ONCE, end);
    await db.transaction(async (tx) => {
      await addVoterWeeks(tx, { until });
      await setMark(tx, { name: 'votes', mark: until });
    });
  } while (until < end);
  await db.transaction(async (tx) => {
    await sumRetention(tx, { since });
    await sumDays(tx, { since });
    await setMark(tx, { name: 'summed', mark: Math.floor(now.getTime() / 1_000) });
  });
}

interface ListQuery {
  page: number;
  size: number;
}

async function asOf(db: Reader): Promise<string | null> {
  const [found] = await readMark(db, { name: 'summed' });
  return found?.mark ? new Date(found.mark * 1_000).toISOString() : null;
}

/** One page of weeks, newest first. */
async function paged<Row>(db: Reader, rows: Row[], { page, size }: ListQuery) {
  return { rows: rows.slice((page - 1) * size, page * size), total: rows.length, asOf: await asOf(db) };
}

/** Sums of these names by week, zero where a value is missing; weeks without any data are omitted. */
async function weeks<Field extends string>(
  db: Reader,
  now: Date,
  fields: Record<Field, string>,
): Promise<({ week: string } & Record<Field, number>)[]> {
  const found = await readWeeks(db, { names: Object.values<string>(fields), since: monday(now, REPORT_WEEKS - 1) });
  const names = [...new Set(found.map(({ week }) => week))];
  return names.map((week) => {
    const of = (name: string) => found.find((one) => one.week === week && one.name === name)?.n ?? 0;
    const counts = Object.entries<string>(fields).map(([field, name]) => [field, of(name)]);
    return { week, ...(Object.fromEntries(counts) as Record<Field, number>) };
  });
}

/** Outcomes of token requests, by the week in which they were begun. */
export const listFunnel = async (db: Reader, now: Date, input: ListQuery) =>
  paged<FunnelRow>(
    db,
    await weeks(db, now, {
      started: 'request_started',
      filled: 'request_filled',
      step2: 'request_market',
      step3: 'request_contact',
      step4: 'request_plan',
      step5: 'request_payment',
      ordered: 'request_ordered',
      paid: 'request_paid',
      delivered: 'request_delivered',
    }),
    input,
  );

/** What reached the moderation, and the team's actions on texts, accounts, appeals and requests to moderate, by week. */
export const listModerationLoad = async (db: Reader, now: Date, input: ListQuery) =>
  paged<ModerationRow>(
    db,
    await weeks(db, now, {
      reported: 'text_reported',
      hidden: 'text_hidden',
      restored: 'text_restored',
      kept: 'report_kept',
      banned: 'member_banned',
      waited: 'text_waited',
      reviewed: 'text_reviewed',
      appealed: 'appeal_made',
      appealsDecided: 'appeal_decided',
      requestsDecided: 'moderator_decided',
    }),
    input,
  );

/** Cohorts of voters; the first figure of `weeks` is the size of the cohort, followed by one for each week until now. */
export async function listRetention(db: Reader, now: Date, input: ListQuery) {
  const found = await readRetention(db, { since: monday(now, REPORT_WEEKS - 1) });
  const cohorts = [...new Set(found.map(({ cohort }) => cohort))];
  const rows = cohorts.map((week): RetentionRow => {
    const age = Math.floor((Date.parse(monday(now)) - Date.parse(week)) / (7 * DAY));
    const weeksOf = Array.from(
      { length: Math.min(age + 1, REPORT_WEEKS) },
      (_, i) => found.find((one) => one.cohort === week && one.age === i)?.voters ?? 0,
    );
    return { week, voters: weeksOf[0] ?? 0, weeks: weeksOf };
  });
  return paged<RetentionRow>(db, rows, input);
}
