import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { VoteCluster } from '#contract/admin/vote-review.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { voteReviewClusters } from '#server/db/tables/vote-review.ts';
import { presentVotes } from '#server/db/tables/voting.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { Editor } from '#server/records/records.ts';
import { readCluster } from './clusters.service.ts';
import { holdFinding } from './hold.service.ts';
import { openRoundId } from './read-votes.service.ts';

/** Votes per transaction: the lock on their candidates blocks new votes until its commit. */
const BATCH_SIZE = 500;

/**
 * Puts the votes of a member in the open round that count under review, as a signal does: in a cluster of their own, which can be released
 * or voided, in transactions with their audit entries and live events. Later votes of the member for these candidates join it while it
 * is open.
 *
 * @returns the cluster, and the number of votes.
 * @throws ALREADY_DONE when no vote counts, or those that do are in a cluster already.
 */
export async function holdByHand(
  db: Db,
  { actor, now }: Editor,
  { memberId, reason }: { memberId: string; reason: string },
): Promise<{ cluster: VoteCluster; changed: number }> {
  const roundId = (await openRoundId(db)) ?? fail('ALREADY_DONE');
  const found = await countedVotesOf(db, memberId, roundId);
  const candidates = new Set(found.map(({ candidateId }) => candidateId));
  const [candidateId] = candidates;
  const finding = {
    signal: 'by_hand' as const,
    key: `member:${memberId}:${randomUUID()}`,
    candidateId: candidates.size === 1 && candidateId ? candidateId : null,
    facts: { reason },
  };
  let changed = 0;
  for (let from = 0; from < found.length; from += BATCH_SIZE) {
    const voteIds = found.slice(from, from + BATCH_SIZE).map(({ id }) => id);
    changed += (await holdFinding(db, roundId, { ...finding, voteIds }, now, { actor, reason })).held;
  }
  if (changed === 0) return fail('ALREADY_DONE');
  const [cluster] = await db
    .select({ id: voteReviewClusters.id })
    .from(voteReviewClusters)
    .where(sql`${voteReviewClusters.roundId} = ${roundId} and ${voteReviewClusters.key} = ${finding.key}`);
  return { cluster: await readCluster(db, cluster?.id ?? ''), changed };
}

const countedVotesOf = (db: Reader, memberId: string, roundId: string) =>
  db
    .select({ id: presentVotes.id, candidateId: presentVotes.candidateId })
    .from(presentVotes)
    .where(
      sql`${presentVotes.userId} = ${memberId} and ${presentVotes.roundId} = ${roundId} and ${presentVotes.state} = 'counted'`,
    );
