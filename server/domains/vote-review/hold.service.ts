import { sql } from 'drizzle-orm';
import type { Db, Reader } from '#server/db/client.ts';
import { voteReviewClusters, voteReviewVotes } from '#server/db/tables/vote-review.ts';
import { presentVotes } from '#server/db/tables/voting.ts';
import { changeVoteStates, lockCandidates } from '#server/domains/voting/vote-states.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { findRelated, putIntoCluster } from './hold.sql.ts';
import type { Finding, ReviewVote } from './review-window.policy.ts';

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };

/** Votes of one finding, no more than one transaction should hold. */
export interface Holding extends Omit<Finding, 'votes'> {
  voteIds: readonly number[];
}

/**
 * Puts votes of a finding under review, in one transaction with their cluster, its audit entry and what open screens
 * show. Votes that are in a cluster already, decided or not, are left alone; so are those that do not count now.
 *
 * @returns how many votes were put under review, and which are in a cluster now.
 */
export async function holdFinding(
  db: Db,
  roundId: string,
  finding: Holding,
  now: Date,
): Promise<{ held: number; placed: number[] }> {
  const before = await placedOf(db, finding.voteIds);
  const ids = sql`any(${sql.param(finding.voteIds.filter((id) => !before.has(id)))}::bigint[])`;
  const holdable = (source: Reader) =>
    source
      .select({ id: presentVotes.id })
      .from(presentVotes)
      .where(
        sql`${presentVotes.id} = ${ids} and ${presentVotes.state} = 'counted'
          and not exists (select 1 from vote_review_votes r where r.vote_id = ${presentVotes.id})`,
      );
  const placed = [...before];
  // Often a finding of before: not worth a lock.
  if (before.size === finding.voteIds.length || (await holdable(db).limit(1)).length === 0) return { held: 0, placed };
  return db.transaction(async (tx) => {
    await lockCandidates(tx, sql`(select candidate_id from votes where id = ${ids})`);
    const voteIds = (await holdable(tx)).map(({ id }) => id);
    if (voteIds.length === 0) return { held: 0, placed };
    await changeVoteStates(tx, { voteIds, to: 'under_review', reason: finding.signal, now });
    const clusterId = await growCluster(tx, roundId, finding, voteIds, now);
    await audit(tx, SYSTEM, {
      action: 'votes.held',
      resourceType: 'vote_cluster',
      resourceId: clusterId,
      after: { signal: finding.signal, votes: voteIds.length, candidateId: finding.candidateId },
    });
    return { held: voteIds.length, placed: [...placed, ...voteIds] };
  });
}

/** Those of some votes that are in a cluster, whatever was decided about it. */
async function placedOf(db: Reader, voteIds: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .select({ id: voteReviewVotes.voteId })
    .from(voteReviewVotes)
    .where(sql`${voteReviewVotes.voteId} = any(${sql.param(voteIds)}::bigint[])`);
  return new Set(rows.map(({ id }) => id));
}

/** Writes the votes into the open cluster of their finding, a new one where there is none. @returns the cluster. */
async function growCluster(
  tx: Reader,
  roundId: string,
  { signal, key, candidateId, facts }: Holding,
  voteIds: readonly number[],
  now: Date,
): Promise<string> {
  const clusters = voteReviewClusters;
  const [cluster] = await tx
    .insert(clusters)
    .values({ roundId, signal, key, candidateId, facts, foundAt: now, grownAt: now })
    .onConflictDoUpdate({
      target: [clusters.roundId, clusters.signal, clusters.key],
      targetWhere: sql`state = 'open'`,
      set: { facts, grownAt: now },
    })
    .returning({ id: clusters.id });
  const id = cluster?.id ?? '';
  // Triggers keep the figures of the cluster, by what comes and goes: however many votes it has.
  await putIntoCluster(tx, { cluster: id, votes: voteIds, at: now });
  return id;
}

/**
 * New votes of members whose earlier votes for the same candidate wait or were voided in this round: they belong to the same
 * cluster, or to a new one like it when that was decided.
 */
export async function relatedFindings(
  db: Reader,
  roundId: string,
  newVotes: readonly ReviewVote[],
): Promise<Holding[]> {
  if (newVotes.length === 0) return [];
  const rows = await findRelated(db, {
    round: roundId,
    votes: newVotes.map(({ id }) => id),
    members: newVotes.map(({ member }) => member.id),
    candidates: newVotes.map(({ candidateId }) => candidateId),
  });
  return [...Map.groupBy(rows, ({ signal, key }) => `${signal} ${key}`).values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { signal, key, candidateId, facts } = first;
    return [{ signal, key, candidateId, facts, voteIds: group.map(({ voteId }) => voteId) }];
  });
}
