import { and, asc, count, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { BulkOutcome } from '#contract/admin/shared/bulk.ts';
import type { VoteCluster } from '#contract/admin/vote-review.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import { voteReviewClusters, voteReviewDecisions, voteReviewVotes } from '#server/db/tables/vote-review.ts';
import { votes } from '#server/db/tables/voting.ts';
import { decideWithoutBan, isWithoutBan } from '#server/domains/voting/banned-votes.service.ts';
import { batchByCandidates, changeVoteStates, lockCandidatesOf } from '#server/domains/voting/vote-states.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { forEachRecord } from '#server/records/bulk.ts';
import { lastChange } from '#server/records/last-change.ts';
import type { Editor } from '#server/records/records.ts';
import { readCluster } from './clusters.service.ts';
import { reopenCluster } from './decide.sql.ts';

interface Decided {
  cluster: VoteCluster;
  /** Votes that the decision was applied to so far. */
  changed: number;
  /** Of those, the votes of banned members: they stay void until the ban ends. */
  banned: number;
}

type DecisionKind = (typeof voteReviewDecisions.$inferSelect)['kind'];
type Decision = Pick<typeof voteReviewDecisions.$inferSelect, 'id' | 'clusterId' | 'kind' | 'reason' | 'decidedBy'>;
type Cluster = Pick<
  typeof voteReviewClusters.$inferSelect,
  'state' | 'deciding' | 'signal' | 'candidateId' | 'reason' | 'decidedBy'
>;

/** Votes per transaction: the lock on their candidate blocks new votes until its commit. */
const BATCH_SIZE = 500;
/** Reason code for the public ledger and the member; the written reason is only shown in the back office. */
export const VOIDED = 'moderator';
/** State of the votes, and of the cluster, after each kind of decision. */
const MADE = { release: 'counted', void: 'void', undo: 'under_review' } as const;
const ENDS = { release: 'released', void: 'void', undo: 'open' } as const;
const ACTION = { release: 'votes.released', void: 'votes.voided', undo: 'votes.review_undone' } as const;

/**
 * Condition for the votes of a cluster that a decision applies to. The slice that changes a vote also removes it from this set, in
 * one transaction: so every vote is changed once, whichever process executes the decision, and however often it is restarted.
 */
function aboutOf(clusterId: string, kind: DecisionKind): SQL | undefined {
  const [state, reason] =
    kind === 'undo'
      ? [
          sql`${voteReviewVotes.decidedAs}`,
          sql`case when ${voteReviewVotes.decidedAs} = 'void' then ${VOIDED}::text end`,
        ]
      : [sql`'under_review'`, sql`(select signal from vote_review_clusters where id = ${clusterId})`];
  // For a banned member, the decision sets the state that the vote will have when the ban ends.
  return or(
    and(sql`${votes.state} = ${state}`, sql`${votes.stateReason} is not distinct from ${reason}`),
    isWithoutBan(state, reason),
  );
}

/** Join of a vote of a cluster with the partition that it is in. */
const SAME_VOTE = and(eq(votes.id, voteReviewVotes.voteId), eq(votes.votedOn, voteReviewVotes.votedOn));

/** Votes with their UTC days, in the same order. */
interface Found {
  voteIds: number[];
  days: string[];
}

/** Locks the candidates of these votes, in the lock order of all writers of votes; then the cluster. */
async function lockCluster(tx: Tx, id: string, found: Found): Promise<Cluster> {
  await lockCandidatesOf(tx, found);
  const { state, deciding, signal, candidateId, reason, decidedBy } = voteReviewClusters;
  const [cluster] = await tx
    .select({ state, deciding, signal, candidateId, reason, decidedBy })
    .from(voteReviewClusters)
    .where(eq(voteReviewClusters.id, id))
    .for('update');
  return cluster ?? fail('NOT_FOUND', { what: 'cluster' });
}

const votesIn = (clusterId: string, where: SQL | undefined, after = 0) =>
  and(eq(voteReviewVotes.clusterId, clusterId), gt(voteReviewVotes.voteId, after), where);

/** The next votes of a cluster after a given one that match a condition; of ten candidates at most. */
async function votesOf(
  db: Reader,
  clusterId: string,
  where: SQL | undefined,
  after = 0,
  limit = BATCH_SIZE,
): Promise<Found> {
  const rows = await db
    .select({ id: votes.id, day: votes.votedOn, candidateId: votes.candidateId })
    .from(voteReviewVotes)
    .innerJoin(votes, SAME_VOTE)
    .where(votesIn(clusterId, where, after))
    .orderBy(voteReviewVotes.voteId)
    .limit(limit);
  const [some = []] = batchByCandidates(rows);
  some.sort((a, b) => a.id - b.id);
  return { voteIds: some.map(({ id }) => id), days: some.map(({ day }) => day) };
}

/**
 * Executes a decision for some votes, in a transaction that locks their candidates and the cluster; votes that it no longer applies
 * to are skipped.
 *
 * @returns the number of changed votes and of those of banned members among them, and whether votes are left. When none are, the decision
 *   is finished.
 */
async function takeSlice(
  tx: Tx,
  by: { actor: Actor; now: Date },
  { id, clusterId, kind, reason, decidedBy }: Decision,
  cluster: Cluster,
  found: Found,
): Promise<Omit<Decided, 'cluster'> & { more: boolean }> {
  const where = aboutOf(clusterId, kind);
  const still = sql`${votes.id} = any(${sql.param(found.voteIds)}::bigint[])`;
  const inMonths = sql`${votes.votedOn} = any(${sql.param([...new Set(found.days)])}::date[])`;
  const { voteIds, days } =
    found.voteIds.length > 0 ? await votesOf(tx, clusterId, and(where, still, inMonths)) : { voteIds: [], days: [] };
  const others = and(where, sql`not ${still}`);
  // The lock of the cluster prevents new votes. Votes with lower ids than the last one exist, from transactions that took longer.
  const more =
    (await votesOf(tx, clusterId, others, found.voteIds.at(-1), 1)).voteIds.length > 0 ||
    (await votesOf(tx, clusterId, others, 0, 1)).voteIds.length > 0;
  const stateReason = { release: null, void: VOIDED, undo: cluster.signal }[kind];
  const made = { to: MADE[kind], reason: stateReason, now: by.now };
  const banned = await decideWithoutBan(tx, { ...made, voteIds, days });
  await changeVoteStates(tx, { ...made, voteIds: voteIds.filter((id) => !banned.has(id)), days });
  if (kind !== 'undo')
    await tx.update(voteReviewVotes).set({ decidedAs: MADE[kind] }).where(inArray(voteReviewVotes.voteId, voteIds));
  if (!more) await close(tx, { clusterId, kind, reason, decidedBy }, by.now);
  await tx
    .update(voteReviewDecisions)
    .set({
      done: sql`${voteReviewDecisions.done} + ${voteIds.length}`,
      finishedAt: more ? null : by.now,
    })
    .where(eq(voteReviewDecisions.id, id));
  // Also when no count changes: other admins have the cluster and the inbox on their screens.
  await publishChange(tx, 'voting');
  await audit(tx, by.actor, {
    action: ACTION[kind],
    resourceType: 'vote_cluster',
    resourceId: clusterId,
    ...(kind === 'undo' ? { before: { state: cluster.state, reason: cluster.reason } } : {}),
    after: { signal: cluster.signal, votes: voteIds.length, candidateId: cluster.candidateId },
    ...(reason ? { reason } : {}),
  });
  return { changed: voteIds.length, banned: banned.size, more };
}

/** Stores the final state of the cluster when all of its votes are processed: closed, or reopened by an undo. */
async function close(tx: Tx, { clusterId, kind, reason, decidedBy }: Omit<Decision, 'id'>, now: Date): Promise<void> {
  if (kind !== 'undo')
    await tx
      .update(voteReviewClusters)
      .set({ state: ENDS[kind], deciding: null, decidedAt: now, decidedBy, reason })
      .where(eq(voteReviewClusters.id, clusterId));
  else {
    await tx
      .update(voteReviewVotes)
      .set({ decidedAs: null })
      .where(and(eq(voteReviewVotes.clusterId, clusterId), isNotNull(voteReviewVotes.decidedAs)));
    await reopenCluster(tx, { id: clusterId });
  }
}

/**
 * Stores a decision and executes it for the first 500 votes; a job (`decide-votes`) does the others, even if this process ends.
 *
 * @throws NOT_FOUND. @throws ALREADY_DONE when the cluster is not in the state that the action changes, or a decision about it is
 *   being executed. @throws VERSION_CONFLICT when only one's own decision is to be undone (`own`), and it is another admin's.
 */
async function begin(
  db: Db,
  jobs: JobQueue,
  by: Editor,
  { id, kind, reason, own = false }: { id: string; kind: DecisionKind; reason: string | null; own?: boolean },
): Promise<Decided> {
  const where = aboutOf(id, kind);
  const [about] = await db
    .select({ votes: count() })
    .from(voteReviewVotes)
    .innerJoin(votes, SAME_VOTE)
    .where(votesIn(id, where));
  const found = await votesOf(db, id, where);
  const { changed, banned } = await db.transaction(async (tx) => {
    const cluster = await lockCluster(tx, id, found);
    if ((kind === 'undo') === (cluster.state === 'open')) fail('ALREADY_DONE');
    if (own && cluster.decidedBy !== by.actor.id) await decidedByOther(tx, id);
    // No decision row: a process of the previous version is deciding, or was interrupted.
    if (cluster.deciding !== null && cluster.deciding !== MADE[kind]) fail('ALREADY_DONE');
    const [decision] = await tx
      .insert(voteReviewDecisions)
      .values({ clusterId: id, kind, reason, decidedBy: by.actor.id, beganAt: by.now, votes: about?.votes ?? 0 })
      .onConflictDoNothing()
      .returning();
    const slice = await takeSlice(tx, by, decision ?? fail('ALREADY_DONE'), cluster, found);
    if (slice.more) {
      if (kind !== 'undo')
        await tx.update(voteReviewClusters).set({ deciding: MADE[kind] }).where(eq(voteReviewClusters.id, id));
      await jobs.enqueue(tx, 'decide-votes', {});
    }
    return slice;
  });
  return { cluster: await readCluster(db, id), changed, banned };
}

/**
 * Decides about the waiting votes of a cluster, including those added during the execution: they are counted, or void. Votes of
 * banned members stay void, and take the decided state once the ban ends.
 *
 * @param reason the database requires it where votes are voided.
 * @throws NOT_FOUND. @throws ALREADY_DONE when it is already decided, or a decision is being executed.
 */
export const decideCluster = (
  db: Db,
  jobs: JobQueue,
  by: Editor,
  { id, kind, reason }: { id: string; kind: 'release' | 'void'; reason: string },
): Promise<Decided> => begin(db, jobs, by, { id, kind, reason: reason || null });

/**
 * Reverts a decision: the votes that it changed, and that nothing else changed since, are under review again, and every total is as
 * before the decision.
 *
 * @param own only the actor's own decision.
 * @throws NOT_FOUND. @throws ALREADY_DONE when the cluster is open, or a decision is being executed. @throws VERSION_CONFLICT when only an
 *   own decision is to be undone, and it is another admin's.
 */
export const undoDecision = (
  db: Db,
  jobs: JobQueue,
  by: Editor,
  { id, own = false }: { id: string; own?: boolean },
): Promise<Decided> => begin(db, jobs, by, { id, kind: 'undo', reason: null, own });

async function decidedByOther(tx: Tx, id: string): Promise<never> {
  const made = inArray(auditEvents.action, [ACTION.release, ACTION.void]);
  const last = await lastChange(tx, 'vote_cluster', id, made);
  return fail('VERSION_CONFLICT', { version: 1, current: {}, ...last });
}

/** Applies the same decision to several clusters, each in its own transaction; an undo is of one's own decisions. */
export const decideClusters = (
  db: Db,
  jobs: JobQueue,
  by: Editor,
  { ids, decision, reason }: { ids: readonly string[]; decision: DecisionKind; reason: string },
): Promise<{ results: BulkOutcome[] }> =>
  forEachRecord(ids, async (id) => {
    const undo = decision === 'undo';
    await begin(db, jobs, by, { id, kind: decision, reason: undo ? null : reason || null, own: undo });
    return 'done';
  });

/** Decisions that are being executed, oldest first. */
const underWay = (db: Reader): Promise<Decision[]> => {
  const { id, clusterId, kind, reason, decidedBy, finishedAt, beganAt } = voteReviewDecisions;
  return db
    .select({ id, clusterId, kind, reason, decidedBy })
    .from(voteReviewDecisions)
    .where(isNull(finishedAt))
    .orderBy(asc(beganAt), asc(id));
};

/**
 * Continues unfinished decisions, 500 votes per transaction. Safe to run concurrently, and to be killed at any point.
 *
 * @param slice runs one transaction and then yields to other work.
 * @param stopped checked after each transaction.
 * @returns the number of changed votes. @throws the failures, after all decisions were processed.
 */
export async function finishDecisions(
  db: Db,
  now: () => Date,
  slice: <T>(work: () => Promise<T>) => Promise<T>,
  stopped: () => boolean,
): Promise<number> {
  let changed = 0;
  await runEachSettled(await underWay(db), async (decision) => {
    const where = aboutOf(decision.clusterId, decision.kind);
    for (let after = 0, more = true; more && !stopped(); ) {
      const found = await votesOf(db, decision.clusterId, where, after);
      const step = await slice(() => goOn(db, now(), decision, found));
      changed += step.changed;
      more = step.more;
      after = found.voteIds.length === BATCH_SIZE ? (found.voteIds.at(-1) ?? 0) : 0;
    }
  });
  return changed;
}

/** One slice of an unfinished decision, with the admin who decided as its actor. */
const goOn = (db: Db, now: Date, decision: Decision, found: Found) =>
  db.transaction(async (tx) => {
    const done = { changed: 0, banned: 0, more: false };
    const cluster = await lockCluster(tx, decision.clusterId, found);
    const [still] = await tx
      .select({ decidedBy: voteReviewDecisions.decidedBy })
      .from(voteReviewDecisions)
      .where(and(eq(voteReviewDecisions.id, decision.id), isNull(voteReviewDecisions.finishedAt)))
      .for('update');
    if (!still) return done;
    const { decidedBy } = still;
    if ((decision.kind === 'undo') === (cluster.state === 'open')) {
      // A process of the previous version, which does not use decision rows, finished it first.
      await tx.update(voteReviewDecisions).set({ finishedAt: now }).where(eq(voteReviewDecisions.id, decision.id));
      return done;
    }
    const actor: Actor = { id: decidedBy, role: decidedBy ? 'admin' : 'system', ipHash: null, requestId: null };
    return takeSlice(tx, { actor, now }, { ...decision, decidedBy }, cluster, found);
  });
