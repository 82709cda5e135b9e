import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { CurrentRound } from '#contract/admin/voting.ts';
import { RACE_SHOWN } from '#contract/limits.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asBoolean, asText } from '#server/db/expressions.ts';
import { voteReviewDecisions } from '#server/db/tables/vote-review.ts';
import { roundStandings, voteResets, votingCandidates, votingRounds } from '#server/db/tables/voting.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { databaseNow, type FixedNow } from '#server/lib/clock.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { iso } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import { type Calendar, nextRoundDays, readCalendar } from './calendar.service.ts';
import { lockOpening, storeStandings } from './round-ends.sql.ts';
import { storeRace } from './store-race.sql.ts';

type OpenRound = NonNullable<CurrentRound['round']>;

export interface LockedRound extends OpenRound {
  status: 'open' | 'closed';
}

/** Locks a round. Voters lock it too, so votes in progress complete first, and later ones see the changes. @throws NOT_FOUND */
export async function lockRound(tx: Tx, id: string): Promise<LockedRound> {
  const { number, opensAt, closesAt, nextDays, status } = votingRounds;
  const [found] = await tx
    .select({ id: votingRounds.id, number, opensAt, closesAt, nextDays, status })
    .from(votingRounds)
    .where(eq(votingRounds.id, id))
    .for('update');
  const row = found ?? fail('NOT_FOUND', { what: 'round' });
  return { ...row, opensAt: iso(row.opensAt), closesAt: iso(row.closesAt) };
}

/** Locks a round that is still open. @throws NOT_FOUND, ROUND_CHANGED */
export async function lockOpenRound(tx: Tx, id: string): Promise<LockedRound> {
  const round = await lockRound(tx, id);
  if (round.status !== 'open') fail('ROUND_CHANGED');
  return round;
}

export interface RoundClosed {
  number: number;
  winnerId: string | null;
  /** Number of the round that opened; null: voting pauses. */
  opened: number | null;
}

/** Locks the open round if its end has come; null when there is none. */
async function lockDueRound(tx: Tx, fixedNow: FixedNow): Promise<LockedRound | null> {
  const [due] = await tx
    .select({ id: votingRounds.id })
    .from(votingRounds)
    .where(and(eq(votingRounds.status, 'open'), sql`${votingRounds.closesAt} <= ${databaseNow(fixedNow)}`));
  if (!due) return null;
  const round = await lockRound(tx, due.id);
  return round.status === 'open' ? round : null;
}

/**
 * Waits for the votes in progress of a round whose end has come: afterwards it has all of its votes.
 *
 * @returns false when there is nothing to close.
 */
export const awaitLastVotes = (db: Db, fixedNow: FixedNow): Promise<boolean> =>
  db.transaction(async (tx) => (await lockDueRound(tx, fixedNow)) !== null);

/**
 * Closes the open round when the database's clock has reached its end: freezes the standings, certifies the winner, removes it from
 * voting until it graduates, and opens the next round where one is to follow. Safe to run concurrently in several processes.
 *
 * @returns null when there is nothing to close.
 */
export function closeDueRound(db: Db, fixedNow: FixedNow): Promise<RoundClosed | null> {
  return db.transaction(async (tx) => {
    const round = await lockDueRound(tx, fixedNow);
    if (!round) return null;
    return close(tx, { id: null, role: 'system', ipHash: null, requestId: null }, round, fixedNow, null);
  });
}

/** Remaining time of the open round, by the database's clock; null without one. */
export async function millisecondsToEnd(db: Reader, fixedNow: FixedNow): Promise<number | null> {
  const [round] = await db
    .select({
      left: sql`extract(epoch from ${votingRounds.closesAt} - ${databaseNow(fixedNow)}) * 1000`.mapWith(Number),
    })
    .from(votingRounds)
    .where(eq(votingRounds.status, 'open'));
  return round?.left ?? null;
}

/**
 * Closes the open round before its end. The reason is public.
 *
 * @param seen the state that the admin saw.
 * @throws NOT_FOUND. @throws ROUND_CHANGED when it was closed, has ended, or its end was moved. @throws NOT_VALID for an unreadable
 *   reason. @throws VOTES_BEING_DECIDED while a decision about votes under review has votes left.
 */
export function closeRoundEarly(
  db: Db,
  by: Editor,
  seen: { id: string; seenClosesAt: string; reason: string },
  fixedNow: FixedNow,
): Promise<RoundClosed> {
  const reason = cleanText(seen.reason, 'line') || fail('NOT_VALID');
  return db.transaction(async (tx) => {
    const round = await lockOpenRound(tx, seen.id);
    if (round.closesAt !== iso(seen.seenClosesAt)) fail('ROUND_CHANGED');
    return (await close(tx, by.actor, round, fixedNow, reason)) ?? fail('ROUND_CHANGED');
  });
}

/**
 * @param early reason for closing before the end; null: only at the end.
 * @returns null when it is not due yet, or, for an early end, when the regular end has passed.
 */
async function close(
  tx: Tx,
  actor: Actor,
  round: LockedRound,
  fixedNow: FixedNow,
  early: string | null,
): Promise<RoundClosed | null> {
  // In order of id, as votes lock candidates (cast-votes.sql.ts). With these locks no total changes, so the frozen standings equal the
  // counted votes. Those in the trash too: one that is restored before the standings are stored would be in them without a lock.
  await tx.select({ id: votingCandidates.id }).from(votingCandidates).orderBy(votingCandidates.id).for('no key update');
  const [clock] = await tx
    .select({
      // As text: a Date would drop the microseconds of the database.
      at: sql`p.at::text`.mapWith(asText),
      over: sql`${round.closesAt}::timestamptz <= p.at`.mapWith(asBoolean),
    })
    .from(sql`(select ${databaseNow(fixedNow)} as at) as p`);
  const { at = '', over = false } = clock ?? {};
  if (over === (early !== null)) return null;
  // At a regular end the job completes decisions first, for a limited time. With the candidates locked, none can begin.
  if (early !== null && (await tx.$count(voteReviewDecisions, isNull(voteReviewDecisions.finishedAt))) > 0)
    fail('VOTES_BEING_DECIDED');

  await storeStandings(tx, { round: round.id });
  // The moment before the end, which is on the last day of voting.
  const end = early === null ? round.closesAt : at;
  await storeRace(tx, { round: round.id, end: new Date(new Date(end).getTime() - 1), shown: RACE_SHOWN });
  const [first] = await tx
    .select({ id: roundStandings.candidateId, votes: roundStandings.totalVotes })
    .from(roundStandings)
    .where(and(eq(roundStandings.roundId, round.id), eq(roundStandings.rank, 1), gt(roundStandings.totalVotes, 0)));
  const winner = first ?? null;
  // With the key deleted, stored network hashes of the round can be compared, but not computed again.
  await tx
    .update(votingRounds)
    .set({
      status: 'closed',
      networkKey: null,
      closedAt: sql`${at}::timestamptz`,
      certifiedAt: sql`${at}::timestamptz`,
      closedBy: actor.id,
      closedEarlyReason: early,
      winnerCandidateId: winner?.id ?? null,
      winnerVotes: winner?.votes ?? null,
    })
    .where(eq(votingRounds.id, round.id));
  if (winner)
    await tx.update(votingCandidates).set({ certifiedRoundId: round.id }).where(eq(votingCandidates.id, winner.id));
  // These counters only cover the open round.
  for (const counters of [votingCandidates, voteResets])
    await tx
      .update(counters)
      .set({ votesUnderReview: 0, votesVoid: 0 })
      .where(or(gt(counters.votesUnderReview, 0), gt(counters.votesVoid, 0)));
  const opened =
    round.nextDays === null
      ? null
      : await open(tx, { from: at, days: round.nextDays, calendar: await readCalendar(tx) });
  await publishChange(tx, 'voting');
  await audit(tx, actor, {
    action: early === null ? 'round.closed' : 'round.closed_early',
    resourceType: 'round',
    resourceId: round.id,
    before: { status: 'open', closesAt: round.closesAt },
    after: {
      status: 'closed',
      winnerId: winner?.id ?? null,
      totalVotes: winner?.votes ?? 0,
      opened: opened?.number ?? null,
    },
    ...(early === null ? {} : { reason: early }),
  });
  return { number: round.number, winnerId: winner?.id ?? null, opened: opened?.number ?? null };
}

/**
 * Opens a new round; `from` is a time of the database's clock. With an hour in the calendar, it ends at that hour nearest to its
 * length: up to twelve hours earlier or later, and exactly on schedule after a round that ended at that hour.
 */
async function open(
  tx: Tx,
  { from, days, calendar }: { from: string; days: number; calendar: Calendar },
): Promise<OpenRound> {
  const { id, number, opensAt, closesAt, nextDays } = votingRounds;
  const plain = sql`${from}::timestamptz + ${days}::int * interval '24 hours'`;
  const { hour } = calendar;
  const end =
    hour === null
      ? plain
      : sql`(date_trunc('day', (${plain}) at time zone 'UTC' - ${hour - 12}::int * interval '1 hour') + ${hour}::int * interval '1 hour') at time zone 'UTC'`;
  const [round] = await tx
    .insert(votingRounds)
    .values({
      number: sql`(select coalesce(max(r.number), 0) + 1 from voting_rounds r)`,
      opensAt: sql`${from}::timestamptz`,
      closesAt: end,
      createdAt: sql`${from}::timestamptz`,
      nextDays: nextRoundDays(calendar),
    })
    .returning({ id, number, opensAt, closesAt, nextDays });
  if (!round) throw new Error('no round inserted');
  return { ...round, opensAt: iso(round.opensAt), closesAt: iso(round.closesAt) };
}

/**
 * Opens a round while voting is paused.
 *
 * @param days its length; what follows it is set by the calendar.
 * @throws ROUND_CHANGED when one is open.
 */
export function openRound(db: Db, by: Editor, { days }: { days: number }, fixedNow: FixedNow): Promise<OpenRound> {
  return db.transaction(async (tx) => {
    // A concurrent call waits here, and then finds the open round.
    await lockOpening(tx, {});
    if ((await tx.$count(votingRounds, eq(votingRounds.status, 'open'))) > 0) fail('ROUND_CHANGED');
    const [clock] = await tx
      .select({ at: sql`p.at::text`.mapWith(asText) })
      .from(sql`(select ${databaseNow(fixedNow)} as at) as p`);
    const round = await open(tx, { from: clock?.at ?? '', days, calendar: await readCalendar(tx) });
    await publishChange(tx, 'voting');
    await audit(tx, by.actor, {
      action: 'round.opened',
      resourceType: 'round',
      resourceId: round.id,
      after: { closesAt: round.closesAt, nextDays: round.nextDays },
    });
    return round;
  });
}

/**
 * Sets what follows the open round. A value equal to that of the calendar follows the calendar from then on.
 *
 * @param days length of the round that opens when this one ends; null: voting pauses then.
 * @throws NOT_FOUND, ROUND_CHANGED
 */
export function setNextRound(
  db: Db,
  by: Editor,
  { id, nextDays }: { id: string; nextDays: number | null },
): Promise<OpenRound> {
  return db.transaction(async (tx) => {
    const { status: _, ...round } = await lockOpenRound(tx, id);
    const nextByCalendar = nextRoundDays(await readCalendar(tx)) === nextDays;
    await tx.update(votingRounds).set({ nextDays, nextByCalendar }).where(eq(votingRounds.id, id));
    if (round.nextDays === nextDays) return round;
    await publishChange(tx, 'voting');
    await audit(tx, by.actor, {
      action: 'round.next_set',
      resourceType: 'round',
      resourceId: id,
      before: { nextDays: round.nextDays },
      after: { nextDays },
    });
    return { ...round, nextDays };
  });
}
