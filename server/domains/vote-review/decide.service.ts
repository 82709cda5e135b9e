import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { VoteCluster } from '#contract/admin/vote-review.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { voteReviewClusters, voteReviewVotes } from '#server/db/tables/vote-review.ts';
import { votes } from '#server/db/tables/voting.ts';
import { changeVoteStates, lockCandidates } from '#server/domains/voting/vote-states.service.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/fail.ts';
import type { Editor } from '#server/records/records.ts';
import { readCluster } from './clusters.service.ts';

interface Decided {
  cluster: VoteCluster;
  /** Votes whose state changed. */
  changed: number;
}

/** A cluster may have the votes of a whole farm. */
const BULK = { work: 'job' } as const;
/** As the public ledger and the member see it; the reason in words stays in the back office. */
const VOIDED = 'moderator';

/** Candidates first, in the order of everybody who writes votes; then the cluster, behind which it stands still. */
async function lockCluster(tx: Tx, id: string) {
  await lockCandidates(tx, sql`(select candidate_id from vote_review_votes where cluster_id = ${id})`);
  const { state, signal, candidateId, reason } = voteReviewClusters;
  const [cluster] = await tx
    .select({ state, signal, candidateId, reason })
    .from(voteReviewClusters)
    .where(eq(voteReviewClusters.id, id))
    .for('update');
  return cluster ?? fail('NOT_FOUND', { what: 'cluster' });
}

/** The votes of a cluster of which something holds. */
async function votesOf(tx: Tx, clusterId: string, where: SQL | undefined): Promise<number[]> {
  const rows = await tx
    .select({ id: votes.id })
    .from(voteReviewVotes)
    .innerJoin(votes, eq(votes.id, voteReviewVotes.voteId))
    .where(and(eq(voteReviewVotes.clusterId, clusterId), where));
  return rows.map(({ id }) => id);
}

/**
 * Decides about the votes that wait in a cluster, also those that came in while it was looked at: they count, or are void.
 * Votes that changed by themselves meanwhile (a member was banned) stay as they are.
 *
 * @param reason why; the database asks for it where votes are voided.
 * @throws NOT_FOUND. @throws ALREADY_DONE when somebody decided already.
 */
export async function decideCluster(
  db: Db,
  by: Editor,
  { id, as, reason }: { id: string; as: 'counted' | 'void'; reason: string },
): Promise<Decided> {
  const changed = await db.transaction(async (tx) => {
    const cluster = await lockCluster(tx, id);
    if (cluster.state !== 'open') fail('ALREADY_DONE');
    const voteIds = await votesOf(tx, id, and(eq(votes.state, 'under_review'), eq(votes.stateReason, cluster.signal)));
    await changeVoteStates(tx, { voteIds, to: as, reason: as === 'void' ? VOIDED : null, now: by.now });
    await tx.execute(sql`
      update vote_review_votes set decided_as = ${as} where vote_id = any(${sql.param(voteIds)}::bigint[])`);
    await tx.execute(sql`
      update vote_review_clusters set state = ${as === 'void' ? 'void' : 'released'}, decided_at = ${by.now.toISOString()},
        decided_by = ${by.actor.id}, reason = ${reason || null} where id = ${id}`);
    await audit(tx, by.actor, {
      action: as === 'void' ? 'votes.voided' : 'votes.released',
      resourceType: 'vote_cluster',
      resourceId: id,
      after: { signal: cluster.signal, votes: voteIds.length, candidateId: cluster.candidateId },
      ...(reason ? { reason } : {}),
    });
    return voteIds.length;
  }, BULK);
  return { cluster: await readCluster(db, id), changed };
}

/**
 * Takes a decision back: the votes that it changed, and that nothing else changed since, are under review again, and every
 * total is as before the decision.
 *
 * @throws NOT_FOUND. @throws ALREADY_DONE when the cluster is open.
 */
export async function undoDecision(db: Db, by: Editor, { id }: { id: string }): Promise<Decided> {
  const changed = await db.transaction(async (tx) => {
    const cluster = await lockCluster(tx, id);
    if (cluster.state === 'open') fail('ALREADY_DONE');
    const reason = sql`case when ${voteReviewVotes.decidedAs} = 'void' then ${VOIDED}::text end`;
    const voteIds = await votesOf(
      tx,
      id,
      and(eq(votes.state, voteReviewVotes.decidedAs), sql`${votes.stateReason} is not distinct from ${reason}`),
    );
    await changeVoteStates(tx, { voteIds, to: 'under_review', reason: cluster.signal, now: by.now });
    await tx.execute(sql`update vote_review_votes set decided_as = null where cluster_id = ${id}`);
    // Another cluster may have begun under its key.
    await tx.execute(sql`
      update vote_review_clusters c set state = 'open', decided_at = null, decided_by = null, reason = null,
        key = case when exists (select 1 from vote_review_clusters o where o.round_id = c.round_id and o.signal = c.signal
          and o.key = c.key and o.state = 'open') then c.key || ' ' || c.id else c.key end
      where id = ${id}`);
    await audit(tx, by.actor, {
      action: 'votes.review_undone',
      resourceType: 'vote_cluster',
      resourceId: id,
      before: { state: cluster.state, reason: cluster.reason },
      after: { signal: cluster.signal, votes: voteIds.length, candidateId: cluster.candidateId },
    });
    return voteIds.length;
  }, BULK);
  return { cluster: await readCluster(db, id), changed };
}
