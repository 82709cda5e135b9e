import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { VoteCluster } from '#contract/admin/vote-review.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
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

/** Votes that one transaction decides about: their candidate takes no vote meanwhile. */
const SLICE = 500;
/** As the public ledger and the member see it; the reason in words stays in the back office. */
const VOIDED = 'moderator';

type Cluster = Pick<typeof voteReviewClusters.$inferSelect, 'state' | 'deciding' | 'signal' | 'candidateId' | 'reason'>;

/** Locks the candidates of some votes, in the order of everybody who writes votes; then the cluster. */
async function lockCluster(tx: Tx, id: string, voteIds: readonly number[]): Promise<Cluster> {
  await lockCandidates(tx, sql`(select candidate_id from votes where id = any(${sql.param(voteIds)}::bigint[]))`);
  const { state, deciding, signal, candidateId, reason } = voteReviewClusters;
  const [cluster] = await tx
    .select({ state, deciding, signal, candidateId, reason })
    .from(voteReviewClusters)
    .where(eq(voteReviewClusters.id, id))
    .for('update');
  return cluster ?? fail('NOT_FOUND', { what: 'cluster' });
}

/** Votes of a cluster behind one of them, of which something holds. */
async function votesOf(
  db: Reader,
  clusterId: string,
  where: SQL | undefined,
  after = 0,
  limit = SLICE,
): Promise<number[]> {
  const rows = await db
    .select({ id: votes.id })
    .from(voteReviewVotes)
    .innerJoin(votes, eq(votes.id, voteReviewVotes.voteId))
    .where(and(eq(voteReviewVotes.clusterId, clusterId), gt(voteReviewVotes.voteId, after), where))
    .orderBy(voteReviewVotes.voteId)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Does something with all votes of a cluster of which `where` holds, a slice in a transaction: whoever votes for their
 * candidate waits for one slice at most. Votes that come into the cluster meanwhile are in the last one.
 *
 * @param act what to do with a slice behind its locks; of them only votes of which `where` still holds. `last` is told of the
 * one after which none is left.
 * @returns what `act` returned, added up.
 */
async function inSlices(
  db: Db,
  clusterId: string,
  where: SQL | undefined,
  act: (tx: Tx, slice: { cluster: Cluster; voteIds: number[]; last: boolean }) => Promise<number>,
): Promise<number> {
  let changed = 0;
  for (let after = 0, last = false; !last; ) {
    const found = await votesOf(db, clusterId, where, after);
    const step = await db.transaction(async (tx) => {
      const cluster = await lockCluster(tx, clusterId, found);
      const still = sql`${votes.id} = any(${sql.param(found)}::bigint[])`;
      const voteIds = found.length > 0 ? await votesOf(tx, clusterId, and(where, still)) : [];
      const others = and(where, sql`not ${still}`);
      // Nothing comes into the cluster behind its lock. Some have lower ids: their transaction took longer.
      const more =
        (await votesOf(tx, clusterId, others, found.at(-1), 1)).length > 0 ||
        (await votesOf(tx, clusterId, others, 0, 1)).length > 0;
      return { count: await act(tx, { cluster, voteIds, last: !more }), more };
    });
    changed += step.count;
    last = !step.more;
    after = found.length === SLICE ? (found.at(-1) ?? 0) : 0;
  }
  return changed;
}

/**
 * Decides about the votes that wait in a cluster, also those that came in while it was looked at: they count, or are void.
 * Votes that changed by themselves meanwhile (a member was banned) stay as they are. Cut short, it is gone on with by whoever
 * decides the same again.
 *
 * @param reason why; the database asks for it where votes are voided.
 * @throws NOT_FOUND. @throws ALREADY_DONE when somebody decided already, or is deciding otherwise.
 */
export async function decideCluster(
  db: Db,
  by: Editor,
  { id, as, reason }: { id: string; as: 'counted' | 'void'; reason: string },
): Promise<Decided> {
  const waiting = and(
    eq(votes.state, 'under_review'),
    sql`${votes.stateReason} = (select signal from vote_review_clusters where id = ${id})`,
  );
  const changed = await inSlices(db, id, waiting, async (tx, { cluster, voteIds, last }) => {
    if (cluster.state !== 'open' || (cluster.deciding ?? as) !== as) fail('ALREADY_DONE');
    // Somebody who decides the same at this moment was quicker.
    if (voteIds.length === 0 && !last) return 0;
    await changeVoteStates(tx, { voteIds, to: as, reason: as === 'void' ? VOIDED : null, now: by.now });
    await tx.execute(sql`
      update vote_review_votes set decided_as = ${as} where vote_id = any(${sql.param(voteIds)}::bigint[])`);
    await tx
      .update(voteReviewClusters)
      .set(
        last
          ? {
              state: as === 'void' ? 'void' : 'released',
              deciding: null,
              decidedAt: by.now,
              decidedBy: by.actor.id,
              reason: reason || null,
            }
          : { deciding: as },
      )
      .where(eq(voteReviewClusters.id, id));
    await audit(tx, by.actor, {
      action: as === 'void' ? 'votes.voided' : 'votes.released',
      resourceType: 'vote_cluster',
      resourceId: id,
      after: { signal: cluster.signal, votes: voteIds.length, candidateId: cluster.candidateId },
      ...(reason ? { reason } : {}),
    });
    return voteIds.length;
  });
  return { cluster: await readCluster(db, id), changed };
}

/**
 * Takes a decision back: the votes that it changed, and that nothing else changed since, are under review again, and every
 * total is as before the decision. Cut short, it is gone on with by whoever undoes it again.
 *
 * @throws NOT_FOUND. @throws ALREADY_DONE when the cluster is open.
 */
export async function undoDecision(db: Db, by: Editor, { id }: { id: string }): Promise<Decided> {
  const reason = sql`case when ${voteReviewVotes.decidedAs} = 'void' then ${VOIDED}::text end`;
  const decided = and(
    eq(votes.state, voteReviewVotes.decidedAs),
    sql`${votes.stateReason} is not distinct from ${reason}`,
  );
  const changed = await inSlices(db, id, decided, async (tx, { cluster, voteIds, last }) => {
    if (cluster.state === 'open') fail('ALREADY_DONE');
    if (voteIds.length === 0 && !last) return 0;
    await changeVoteStates(tx, { voteIds, to: 'under_review', reason: cluster.signal, now: by.now });
    if (last) {
      await tx.execute(sql`
        update vote_review_votes set decided_as = null where cluster_id = ${id} and decided_as is not null`);
      // Another cluster may have begun under its key.
      await tx.execute(sql`
        update vote_review_clusters c set state = 'open', decided_at = null, decided_by = null, reason = null,
          key = case when exists (select 1 from vote_review_clusters o where o.round_id = c.round_id and o.signal = c.signal
            and o.key = c.key and o.state = 'open') then c.key || ' ' || c.id else c.key end
        where id = ${id}`);
    }
    await audit(tx, by.actor, {
      action: 'votes.review_undone',
      resourceType: 'vote_cluster',
      resourceId: id,
      before: { state: cluster.state, reason: cluster.reason },
      after: { signal: cluster.signal, votes: voteIds.length, candidateId: cluster.candidateId },
    });
    return voteIds.length;
  });
  return { cluster: await readCluster(db, id), changed };
}
