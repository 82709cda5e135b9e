import { sql } from 'drizzle-orm';
import type { Db, Reader } from '#server/db/client.ts';
import { voteReviewClusters } from '#server/db/tables/vote-review.ts';
import { presentVotes } from '#server/db/tables/voting.ts';
import { changeVoteStates, lockCandidates } from '#server/domains/voting/vote-states.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { findRelated, putIntoCluster } from './hold.sql.ts';
import type { Finding, ReviewVote } from './review-window.policy.ts';

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };

/**
 * Puts the votes of a finding under review, in one transaction with their cluster, its audit entry and what open screens
 * show. Votes that are in a cluster already, decided or not, are left alone; so are those that do not count now.
 *
 * @returns how many votes were put under review.
 */
export async function holdFinding(db: Db, roundId: string, finding: Finding, now: Date): Promise<number> {
  const ids = sql`any(${sql.param(finding.votes.map(({ id }) => id))}::bigint[])`;
  const holdable = (source: Reader) =>
    source
      .select({ id: presentVotes.id })
      .from(presentVotes)
      .where(
        sql`${presentVotes.id} = ${ids} and ${presentVotes.state} = 'counted'
          and not exists (select 1 from vote_review_votes r where r.vote_id = ${presentVotes.id})`,
      );
  // Nearly always a finding of before: not worth a lock.
  if ((await holdable(db).limit(1)).length === 0) return 0;
  return db.transaction(async (tx) => {
    await lockCandidates(tx, sql`(select candidate_id from votes where id = ${ids})`);
    const voteIds = (await holdable(tx)).map(({ id }) => id);
    if (voteIds.length === 0) return 0;
    await changeVoteStates(tx, { voteIds, to: 'under_review', reason: finding.signal, now });
    const clusterId = await growCluster(tx, roundId, finding, voteIds, now);
    await audit(tx, SYSTEM, {
      action: 'votes.held',
      resourceType: 'vote_cluster',
      resourceId: clusterId,
      after: { signal: finding.signal, votes: voteIds.length, candidateId: finding.candidateId },
    });
    return voteIds.length;
  });
}

/** Writes the votes into the open cluster of their finding, a new one where there is none. @returns the cluster. */
async function growCluster(
  tx: Reader,
  roundId: string,
  { signal, key, candidateId, facts }: Finding,
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
): Promise<Finding[]> {
  if (newVotes.length === 0) return [];
  const rows = await findRelated(db, {
    round: roundId,
    votes: newVotes.map(({ id }) => id),
    members: newVotes.map(({ member }) => member.id),
    candidates: newVotes.map(({ candidateId }) => candidateId),
  });
  const byId = new Map(newVotes.map((vote) => [vote.id, vote]));
  return [...Map.groupBy(rows, ({ signal, key }) => `${signal} ${key}`).values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { signal, key, candidateId, facts } = first;
    return [{ signal, key, candidateId, facts, votes: group.flatMap(({ voteId }) => byId.get(voteId) ?? []) }];
  });
}
