import { type SQL, sql } from 'drizzle-orm';
import type { HoldKind } from '#contract/vote-signals.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { voteReviewClusters, voteReviewVotes } from '#server/db/tables/vote-review.ts';
import { presentVotes } from '#server/db/tables/voting.ts';
import { batchByCandidates, changeVoteStates, lockCandidatesOf } from '#server/domains/voting/vote-states.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { findRelated, putIntoCluster } from './hold.sql.ts';
import type { Finding, ReviewVote } from './review-window.ts';

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };

/** Votes of one finding, limited to what one transaction should lock of one candidate. */
export interface FindingBatch extends Omit<Finding, 'votes' | 'signal'> {
  signal: HoldKind;
  voteIds: readonly number[];
  /** UTC day of the oldest vote, as days since 1970, so that earlier months need not be scanned. */
  since?: number;
}

/** Who holds votes: the system, or staff with a reason. */
interface HeldBy {
  actor: Actor;
  reason?: string;
}

/** 'YYYY-MM-DD'. @param day as days since 1970. */
const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/**
 * Puts votes of a finding under review, in transactions of ten candidates each, with their cluster, its audit entry and a live
 * event. Votes that are already in a cluster, decided or not, are skipped; so are those that do not count now.
 *
 * @returns the number of votes that were put under review, and those that are in a cluster now.
 */
export async function holdFinding(
  db: Db,
  roundId: string,
  finding: FindingBatch,
  now: Date,
  by: HeldBy = { actor: SYSTEM },
): Promise<{ held: number; placed: number[] }> {
  const before = await placedOf(db, finding.voteIds);
  const recent = finding.since === undefined ? sql`true` : sql`${presentVotes.votedOn} >= ${dateOf(finding.since)}`;
  const placed = [...before];
  // Often all votes are from an earlier finding; then no lock is needed.
  const open = finding.voteIds.filter((id) => !before.has(id));
  const found = open.length === 0 ? [] : await holdable(db, open, recent);
  let held = 0;
  for (const some of batchByCandidates(found)) {
    const voteIds = await holdSome(db, roundId, finding, some, { ...by, now });
    held += voteIds.length;
    placed.push(...voteIds);
  }
  return { held, placed };
}

/** Those of these votes that count and are in no cluster. */
const holdable = (source: Reader, voteIds: readonly number[], inMonths: SQL) =>
  source
    .select({ id: presentVotes.id, day: presentVotes.votedOn, candidateId: presentVotes.candidateId })
    .from(presentVotes)
    .where(
      sql`${presentVotes.id} = any(${sql.param(voteIds)}::bigint[]) and ${presentVotes.state} = 'counted'
        and not exists (select 1 from vote_review_votes r where r.vote_id = ${presentVotes.id}) and ${inMonths}`,
    );

/** Runs in one transaction. @returns the votes that were put under review. */
function holdSome(
  db: Db,
  roundId: string,
  finding: FindingBatch,
  found: readonly { id: number; day: string }[],
  { actor, reason, now }: HeldBy & { now: Date },
): Promise<number[]> {
  const ids = found.map(({ id }) => id);
  // A vote that was withdrawn and cast again has another id: a found vote still has its day, or no longer exists.
  const inMonths = sql`${presentVotes.votedOn} = any(${sql.param([...new Set(found.map(({ day }) => day))])}::date[])`;
  return db.transaction(async (tx) => {
    await lockCandidatesOf(tx, { voteIds: ids, days: found.map(({ day }) => day) });
    const held = await holdable(tx, ids, inMonths);
    const voteIds = held.map(({ id }) => id);
    const days = held.map(({ day }) => day);
    if (voteIds.length === 0) return [];
    await changeVoteStates(tx, { voteIds, days, to: 'under_review', reason: finding.signal, now });
    const clusterId = await growCluster(tx, roundId, finding, { voteIds, days }, now);
    await audit(tx, actor, {
      action: 'votes.held',
      resourceType: 'vote_cluster',
      resourceId: clusterId,
      after: { signal: finding.signal, votes: voteIds.length, candidateId: finding.candidateId },
      ...(reason ? { reason } : {}),
    });
    return voteIds;
  });
}

/** Those of these votes that are in a cluster, decided or not. */
async function placedOf(db: Reader, voteIds: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .select({ id: voteReviewVotes.voteId })
    .from(voteReviewVotes)
    .where(sql`${voteReviewVotes.voteId} = any(${sql.param(voteIds)}::bigint[])`);
  return new Set(rows.map(({ id }) => id));
}

/** Adds the votes to the open cluster of their finding, which is created if there is none. @returns the cluster. */
async function growCluster(
  tx: Reader,
  roundId: string,
  { signal, key, candidateId, facts }: FindingBatch,
  votes: { voteIds: readonly number[]; days: readonly string[] },
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
  // Triggers maintain the counters of the cluster incrementally, at a cost independent of its size.
  await putIntoCluster(tx, { cluster: id, votes: votes.voteIds, days: votes.days, at: now });
  return id;
}

/**
 * New votes of members whose earlier votes for the same candidate wait or were voided in this round: they belong to the same
 * cluster, or to a new one with its key when that was decided.
 */
export async function relatedFindings(
  db: Reader,
  roundId: string,
  newVotes: readonly ReviewVote[],
): Promise<FindingBatch[]> {
  if (newVotes.length === 0) return [];
  const rows = await findRelated(db, {
    round: roundId,
    votes: newVotes.map(({ id }) => id),
    members: newVotes.map(({ member }) => member.id),
    candidates: newVotes.map(({ candidateId }) => candidateId),
  });
  const since = newVotes.reduce((oldest, { day }) => Math.min(oldest, day), Number.POSITIVE_INFINITY);
  return [...Map.groupBy(rows, ({ signal, key }) => `${signal} ${key}`).values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { signal, key, candidateId, facts } = first;
    return [{ signal, key, candidateId, facts, since, voteIds: group.map(({ voteId }) => voteId) }];
  });
}
