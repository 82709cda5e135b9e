import { and, eq, gt, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import type { AdminCandidate } from '#contract/admin/voting.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { users } from '#server/db/tables/accounts.ts';
import {
  archivedVotes,
  candidateDailyVotes,
  carriedVotes,
  voteMoves,
  voteResetDays,
  voteResets,
  votingCandidates,
} from '#server/db/tables/voting.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import type { Editor } from '#server/records/records.ts';
import { readCandidateForAdmin, undoableSince } from './manage.service.ts';
import {
  findMiscounted,
  purgeCounted,
  purgeUncounted,
  recountDays,
  restoreResetDays,
  storeResetDays,
  unarchiveVotes,
} from './manage-votes.sql.ts';
import { publishTallies } from './tally.service.ts';
import { newestCounted, withdrawing } from './vote-states.service.ts';

/**
 * Locks a candidate's row, as all writers of its votes do first (cast-votes.sql.ts): with this lock its votes and counters do not
 * change; concurrent votes wait and are counted afterwards.
 *
 * @returns null when it does not exist.
 */
async function lockCandidate(tx: Tx, id: string) {
  const { totalVotes, votesUnderReview, votesVoid, generations, deletedAt } = votingCandidates;
  const [row] = await tx
    .select({ totalVotes, votesUnderReview, votesVoid, generations, deletedAt })
    .from(votingCandidates)
    .where(eq(votingCandidates.id, id))
    .for('no key update');
  return row && { ...row, live: row.deletedAt === null };
}

/** Transaction limits of a job, because a candidate may have a million votes. */
const BULK = { work: 'job' } as const;
/** Votes deleted per transaction: the lock on their candidate blocks new votes until its commit. */
const BATCH_SIZE = 2_000;

/**
 * Removes all votes of a candidate; members who voted today may vote again. The votes are retained for 30 days. No vote row is
 * updated, however many there are: the candidate gets a new generation, and theirs is no longer counted.
 *
 * @throws NOT_FOUND. @throws ALREADY_DONE when no vote counts and none of the open round is under review or void.
 */
export async function resetVotes(
  db: Db,
  by: Editor,
  { id, reason }: { id: string; reason: string },
): Promise<AdminCandidate> {
  await db.transaction(async (tx) => {
    const candidate = await lockCandidate(tx, id);
    if (!candidate?.live) return fail('NOT_FOUND', { what: 'candidate' });
    const { totalVotes, votesUnderReview, votesVoid, generations } = candidate;
    const count = totalVotes + votesUnderReview + votesVoid;
    if (count === 0) fail('ALREADY_DONE');
    const [reset] = await tx
      .insert(voteResets)
      .values({
        candidateId: id,
        votes: count,
        reason,
        resetAt: by.now,
        resetBy: by.actor.id,
        generations,
        totalVotes,
        votesUnderReview,
        votesVoid,
      })
      .returning({ id: voteResets.id });
    const resetId = reset?.id ?? '';
    await storeResetDays(tx, { reset: resetId, candidate: id });
    await tx.delete(candidateDailyVotes).where(eq(candidateDailyVotes.candidateId, id));
    await tx.insert(voteMoves).values({ candidateId: id, generations, back: false, votes: count });
    const next = (generations.at(-1) ?? 0) + 1;
    await tx
      .update(votingCandidates)
      .set({ generations: [next], totalVotes: 0, totalReachedAt: null, votesUnderReview: 0, votesVoid: 0 })
      .where(eq(votingCandidates.id, id));
    await publishTally(tx, id, by.now);
    await audit(tx, by.actor, {
      action: 'candidate.votes_reset',
      resourceType: 'candidate',
      resourceId: id,
      before: { totalVotes },
      after: { totalVotes: 0, resetId },
      reason,
    });
  });
  return readCandidateForAdmin(db, id, by.now);
}

/**
 * Restores the votes of a reset in their current state: later bans and decisions are applied, votes of removed members are deleted,
 * and of a member who voted again on the day of the reset only the newer vote remains. The cost is independent of the number of
 * votes.
 *
 * @returns the candidate, and the number of restored votes: counted ones, and those of the open round that are not.
 * @throws NOT_FOUND when there is no such reset of this candidate, or it is older than 30 days. @throws ALREADY_DONE
 */
export async function undoReset(
  db: Db,
  by: Editor,
  { id, resetId }: { id: string; resetId: string },
): Promise<AdminCandidate & { restored: number }> {
  const restored = await db.transaction(async (tx) => {
    const candidate = await lockCandidate(tx, id);
    if (!candidate?.live) return fail('NOT_FOUND', { what: 'candidate' });
    const [reset] = await tx
      .select()
      .from(voteResets)
      .where(
        and(
          eq(voteResets.id, resetId),
          eq(voteResets.candidateId, id),
          gt(voteResets.resetAt, new Date(undoableSince(by.now))),
        ),
      )
      .for('update');
    if (!reset) return fail('NOT_FOUND', { what: 'reset' });
    if (reset.undoneAt) return fail('ALREADY_DONE');
    const back = reset.generations
      ? await giveBack(tx, id, { ...reset, generations: reset.generations })
      : await unarchive(tx, { candidateId: id, resetId, at: by.now });
    await tx
      .update(voteResets)
      .set({ undoneAt: by.now, undoneBy: by.actor.id, totalVotes: 0, votesUnderReview: 0, votesVoid: 0 })
      .where(eq(voteResets.id, resetId));
    await tx
      .update(votingCandidates)
      .set({
        totalVotes: sql`${votingCandidates.totalVotes} + ${back.counted}`,
        totalReachedAt: await newestCounted(tx, [id]),
        votesUnderReview: sql`${votingCandidates.votesUnderReview} + ${back.underReview}`,
        votesVoid: sql`${votingCandidates.votesVoid} + ${back.void}`,
      })
      .where(eq(votingCandidates.id, id));
    await publishTally(tx, id, by.now);
    await audit(tx, by.actor, {
      action: 'candidate.reset_undone',
      resourceType: 'candidate',
      resourceId: id,
      before: { totalVotes: candidate.totalVotes },
      after: { totalVotes: candidate.totalVotes + back.counted, resetId },
    });
    return back.votes;
  }, BULK);
  return { ...(await readCandidateForAdmin(db, id, by.now)), restored };
}

interface Back {
  votes: number;
  counted: number;
  underReview: number;
  void: number;
}

/** Makes the generations of a reset count again, ordered before the one for new votes. The caller increments the total. */
async function giveBack(
  tx: Tx,
  candidateId: string,
  reset: typeof voteResets.$inferSelect & { generations: number[] },
): Promise<Back> {
  const { generations, totalVotes, votesUnderReview, votesVoid } = reset;
  await restoreResetDays(tx, { reset: reset.id, candidate: candidateId });
  await tx.delete(voteResetDays).where(eq(voteResetDays.resetId, reset.id));
  const votes = totalVotes + votesUnderReview + votesVoid;
  await tx.insert(voteMoves).values({ candidateId, generations, back: true, votes });
  await tx
    .update(votingCandidates)
    .set({ generations: sql`${sql.param(generations)}::integer[] || ${votingCandidates.generations}` })
    .where(eq(votingCandidates.id, candidateId));
  return { votes, counted: totalVotes, underReview: votesUnderReview, void: votesVoid };
}

/** Restores the archived votes of a reset that was made before generations existed, row by row. */
async function unarchive(tx: Tx, reset: { candidateId: string; resetId: string; at: Date }): Promise<Back> {
  // Members are locked before their archived votes, in the common lock order: a removal of a member in progress is waited for.
  const voters = tx
    .select({ id: archivedVotes.userId })
    .from(archivedVotes)
    .where(eq(archivedVotes.resetId, reset.resetId));
  await tx.select({ id: users.id }).from(users).where(inArray(users.id, voters)).orderBy(users.id).for('key share');
  const [back] = await unarchiveVotes(tx, reset);
  return back ?? { votes: 0, counted: 0, underReview: 0, void: 0 };
}

/** Publishes the new counts to open screens, and that more than today's counts changed. */
async function publishTally(tx: Tx, id: string, now: Date): Promise<void> {
  await publishTallies(tx, [id], now);
  // Also changes who voted today, and the chart of the last days.
  await publishChange(tx, 'voting');
}

/**
 * Deletes the votes of resets that can't be undone any more, in batches; the resets themselves remain as history. Their withdrawals
 * are in the vote ledger already, and the links to their leaves are deleted.
 *
 * @returns the number of votes. @throws the failures, after all resets were processed.
 */
export async function purgeArchivedVotes(db: Db, now: Date): Promise<number> {
  const past = lte(voteResets.resetAt, new Date(undoableSince(now)));
  const pastResets = db.select({ id: voteResets.id }).from(voteResets).where(past);
  const { rowCount } = await db.delete(archivedVotes).where(inArray(archivedVotes.resetId, pastResets));
  const due = await db
    .select({ id: voteResets.id, candidateId: voteResets.candidateId, generations: voteResets.generations })
    .from(voteResets)
    .where(and(isNotNull(voteResets.generations), isNull(voteResets.undoneAt), isNull(voteResets.emptiedAt), past));
  let purged = rowCount ?? 0;
  await runEachSettled(due, async ({ id, candidateId, generations }) => {
    // Counted votes first: the index votes_newest_counted finds them.
    for (const counted of [true, false])
      for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE; purged += deleted)
        deleted = await purgeSlice(db, { id, candidateId, generations: generations ?? [], counted });
    if (await forgetCarried(db, { id, candidateId, generations: generations ?? [] }))
      await db.update(voteResets).set({ emptiedAt: now }).where(eq(voteResets.id, id));
  });
  return purged;
}

interface PastReset {
  id: string;
  candidateId: string;
  generations: readonly number[];
}

/** True when a reset is not undone. With the candidate locked this does not change, because an undo locks it first. */
const stillReset = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.$count(voteResets, and(eq(voteResets.id, id), isNull(voteResets.undoneAt)))) > 0;

/** Deletes nothing when the reset was undone meanwhile: its votes count again. */
const purgeSlice = (
  db: Db,
  { id, candidateId, generations, counted }: PastReset & { counted: boolean },
): Promise<number> =>
  db.transaction(async (tx) => {
    await lockCandidate(tx, candidateId);
    if (!(await stillReset(tx, id))) return 0;
    await withdrawing(tx, 'reset');
    const purge = counted ? purgeCounted : purgeUncounted;
    return purge(tx, { candidate: candidateId, generations, max: BATCH_SIZE });
  }, BULK);

/**
 * Deletes the carried votes of a reset, unless it was undone meanwhile or the vote ledger still has to record moves of the
 * candidate's votes.
 * @returns true when none are left.
 */
const forgetCarried = (db: Db, { id, candidateId, generations }: PastReset): Promise<boolean> =>
  db.transaction(async (tx) => {
    await lockCandidate(tx, candidateId);
    if (!(await stillReset(tx, id))) return false;
    const [waiting] = await tx
      .select({ id: voteMoves.id })
      .from(voteMoves)
      .where(eq(voteMoves.candidateId, candidateId))
      .limit(1);
    if (waiting) return false;
    await tx
      .delete(carriedVotes)
      .where(and(eq(carriedVotes.candidateId, candidateId), inArray(carriedVotes.generation, [...generations])));
    return true;
  }, BULK);

/** A candidate whose counters differ from its votes. */
export interface Miscount {
  id: string;
  tokenName: string;
  /** Stored value, and counted value. */
  total: number;
  counted: number;
  /** Number of UTC days with a wrong counter. */
  days: number;
  /** Counted value: votes of the open round that are not in the total. */
  underReview: number;
  void: number;
}

/**
 * Every candidate with wrong counters, including deleted ones. A single statement, so that concurrent votes do not affect the
 * result.
 */
export function findMiscounts(db: Reader): Promise<Miscount[]> {
  return findMiscounted(db, { only: null });
}

/**
 * Recounts the votes of one candidate and stores the result.
 *
 * @returns the previous difference; null when there is none (any more).
 */
export function recountVotes(db: Db, actor: Actor, id: string, now: Date): Promise<Miscount | null> {
  return db.transaction(async (tx) => {
    if (!(await lockCandidate(tx, id))) return null;
    const [wrong] = await findMiscounted(tx, { only: id });
    if (!wrong) return null;
    await tx.delete(candidateDailyVotes).where(eq(candidateDailyVotes.candidateId, id));
    await recountDays(tx, { candidate: id });
    await tx
      .update(votingCandidates)
      .set({
        totalVotes: wrong.counted,
        totalReachedAt: await newestCounted(tx, [id]),
        votesUnderReview: wrong.underReview,
        votesVoid: wrong.void,
      })
      .where(eq(votingCandidates.id, id));
    await publishTally(tx, id, now);
    await audit(tx, actor, {
      action: 'candidate.recounted',
      resourceType: 'candidate',
      resourceId: id,
      before: { totalVotes: wrong.total, wrongDays: wrong.days },
      after: { totalVotes: wrong.counted, wrongDays: 0 },
    });
    return wrong;
  }, BULK);
}
