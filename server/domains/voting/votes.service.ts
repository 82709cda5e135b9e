import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { Tally } from '#contract/domains/voting.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { candidateDailyVotes, presentVotes, votes, votingCandidates, votingRounds } from '#server/db/tables/voting.ts';
import { retryConflicts } from '#server/db/transaction.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { type FixedNow, nextUtcDay } from '#server/lib/clock.ts';
import { createBatcher } from '#server/lib/concurrency/batch.ts';
import type { LoadThrottle } from '#server/lib/concurrency/load-throttle.ts';
import { fail, failure } from '#server/lib/errors/fail.ts';
import { castVotes } from './cast-votes.sql.ts';
import { publishTallies } from './tally.service.ts';
import { newestCounted, updateReachedAt, withdrawing } from './vote-states.service.ts';
import { readIsOpen, readOwnOfToday, readToday, removeVotesOf } from './votes.sql.ts';
import type { Ballot, VoteService } from './voting.port.ts';

/** Settings of the operator for voting. */
export interface VoteRules {
  /** Only members with a verified mailbox, or confirmed by an admin, may vote. */
  confirmedOnly: boolean;
  fixedNow: () => FixedNow;
  /** Receives the number of incoming votes, so that background work yields. */
  throttle?: LoadThrottle | undefined;
}

/** Fallback for a query that always returns a row: no vote is found then. */
const NO_DAY = { at: '-infinity', day: '-infinity' };

type Outcome = Awaited<ReturnType<typeof castVotes>>[number];

/**
 * Concurrent votes share one transaction (one statement, see cast-votes.sql.ts), so that many votes for one candidate cost one lock
 * and one commit per group instead of per vote; each voter still gets an individual answer.
 */
export function createVoteService(pool: Pool, rules: VoteRules): VoteService {
  const cast = createBatcher<Ballot, Tally>((ballots) => castTogether(pool, rules, ballots), {
    maxBatchSize: 500,
    workers: 1,
    queue: 20_000,
    overflow: () => failure('BUSY', { retryAfter: 2 }),
  });
  return { cast };
}

async function castTogether(pool: Pool, rules: VoteRules, ballots: Ballot[]): Promise<(Tally | Error)[]> {
  const [first] = ballots;
  if (!first) return [];
  rules.throttle?.recordVotes(ballots.length);
  const { limits } = first;
  // Two processes may still deadlock with other writers.
  const rows = await retryConflicts(() =>
    castVotes(pool, {
      candidates: ballots.map((ballot) => ballot.candidateId),
      voters: ballots.map((ballot) => ballot.userId),
      networks: ballots.map((ballot) => ballot.networks.map((hash) => hash.toString('hex')).join()),
      fixedNow: rules.fixedNow(),
      minuteHits: limits.minute.hits,
      minuteSeconds: limits.minute.seconds,
      dayHits: limits.day.hits,
      daySeconds: limits.day.seconds,
      confirmedOnly: rules.confirmedOnly,
    }),
  );
  const answers: (Tally | Error)[] = Array(ballots.length);
  // A round that was closed while the group waited for it is indistinguishable from no round.
  const anotherRoundOpen = rows.some(({ outcome }) => outcome === 'paused') && (await isOpen(pool, rules.fixedNow()));
  for (const row of rows) {
    const ballot = ballots[row.index - 1];
    if (!ballot) continue;
    answers[row.index - 1] = answerOf(
      anotherRoundOpen && row.outcome === 'paused' ? { ...row, outcome: 'ended' } : row,
      ballot,
    );
  }
  return answers;
}

async function isOpen(db: Pool | Tx, fixedNow: FixedNow): Promise<boolean> {
  const [round] = await readIsOpen(db, { fixedNow });
  return round?.open === true;
}

function answerOf(row: Outcome, { candidateId }: Ballot): Tally | Error {
  switch (row.outcome) {
    case 'cast':
      return { candidateId, totalVotes: row.totalVotes, votesToday: row.votesToday, reachedAt: row.reachedAt };
    case 'already':
      return failure('ALREADY_VOTED', { nextVoteAt: nextUtcDay(row.at).toISOString() });
    case 'limited':
      return failure('RATE_LIMITED', { retryAfter: Math.max(1, row.retryAfter) });
    case 'unknown':
      return failure('NOT_FOUND', { what: 'candidate' });
    case 'unconfirmed':
      return failure('UNCONFIRMED');
    case 'gone':
      return failure('UNAUTHORIZED');
    case 'ended':
      return failure('ROUND_ENDED');
    case 'paused':
      return failure('VOTING_PAUSED');
  }
}

/**
 * Withdraws today's vote of a member while its round is open.
 *
 * @param fixedNow decides which day 'today' is, see FixedNow.
 * @throws NOT_FOUND when the candidate is unknown or inactive.
 * @throws NO_VOTE when there is no vote of that UTC day, VOTE_UNCOUNTED when it is under review or void.
 * @throws ROUND_ENDED when the round of this vote is over by the database's clock, and another one is open or follows.
 * @throws VOTING_PAUSED when no round is open, or it is over and none is to follow.
 */
export async function withdrawVote(
  db: Db,
  actor: Actor & { id: string },
  candidateId: string,
  fixedNow: FixedNow,
): Promise<Tally> {
  return db.transaction(async (tx) => {
    // In the lock order of all voters: the round, then the candidate. The clock is read after that.
    const [round] = await tx
      .select({ id: votingRounds.id })
      .from(votingRounds)
      .where(eq(votingRounds.status, 'open'))
      .for('share');
    const [candidate] = await tx
      .select({ id: votingCandidates.id })
      .from(votingCandidates)
      .where(
        and(
          eq(votingCandidates.id, candidateId),
          eq(votingCandidates.isActive, true),
          isNull(votingCandidates.deletedAt),
        ),
      )
      .for('no key update');
    if (!candidate) fail('NOT_FOUND', { what: 'candidate' });
    const [{ at, day } = NO_DAY] = await readToday(tx, { fixedNow });
    const [own] = await readOwnOfToday(tx, { candidateId, userId: actor.id, roundId: round?.id ?? null, at, day });
    const vote = own ?? fail('NO_VOTE');
    if (!vote.counted) fail('VOTE_UNCOUNTED');
    if (!vote.running) fail((await isOpen(tx, fixedNow)) ? 'ROUND_ENDED' : 'VOTING_PAUSED');
    await withdrawing(tx, 'member');
    const [gone] = await tx
      .delete(votes)
      .where(and(eq(votes.id, vote.id), eq(votes.votedOn, vote.day)))
      .returning({ createdAt: votes.createdAt });
    // The day's counter is updated before the total: it determines where the newest vote is searched.
    await tx
      .update(candidateDailyVotes)
      .set({ votes: sql`${candidateDailyVotes.votes} - 1` })
      .where(and(eq(candidateDailyVotes.candidateId, candidateId), eq(candidateDailyVotes.day, vote.day)));
    await tx
      .update(votingCandidates)
      .set({
        totalVotes: sql`${votingCandidates.totalVotes} - 1`,
        totalReachedAt: await newestCounted(tx, [candidateId]),
      })
      .where(eq(votingCandidates.id, candidateId));
    const [tally] = await publishTallies(tx, [candidateId], fixedNow);
    if (!tally) throw new Error('a locked candidate without a tally');
    await audit(tx, actor, {
      action: 'vote.withdrawn',
      resourceType: 'candidate',
      resourceId: candidateId,
      before: { votedOn: vote.day, castAt: gone?.createdAt },
    });
    return tally;
  });
}

/**
 * Deletes all votes of a member who is removed and decrements the counters accordingly, in a transaction that has locked the
 * candidates (see removeMember). Votes removed by a reset are deleted too; a trigger decrements what its undo would restore.
 *
 * @returns the number of present votes.
 */
export async function withdrawAllVotes(tx: Tx, userId: string, now: Date): Promise<number> {
  await withdrawing(tx, 'account_removed');
  const rows = await removeVotesOf(tx, { userId });
  if (rows.length === 0) return 0;
  const candidateIds = rows.map((row) => row.candidateId);
  await updateReachedAt(tx, candidateIds);
  await publishTallies(tx, candidateIds, now);
  return rows.reduce((sum, row) => sum + row.votes, 0);
}

/** Candidates that a member voted for today (UTC). */
export async function votesOfToday(db: Reader, userId: string, fixedNow: FixedNow): Promise<string[]> {
  const [{ day } = NO_DAY] = await readToday(db, { fixedNow });
  const rows = await db
    .select({ candidateId: presentVotes.candidateId })
    .from(presentVotes)
    .where(and(eq(presentVotes.userId, userId), eq(presentVotes.votedOn, day)));
  return rows.map((row) => row.candidateId);
}
