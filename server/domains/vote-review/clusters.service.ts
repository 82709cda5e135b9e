import { and, eq, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { ClusterVote, VoteCluster } from '#contract/admin/vote-review.ts';
import type { HoldKind } from '#contract/vote-signals.ts';
import type { Reader } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { voteReviewClusters, voteReviewDecisions, voteReviewVotes } from '#server/db/tables/vote-review.ts';
import { presentVotes, votingCandidates } from '#server/db/tables/voting.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { iso, isoOrNull, type ListQuery, listRecords, matchesTerms } from '#server/records/lists.ts';

const r = alias(voteReviewClusters, 'r');
const d = alias(voteReviewDecisions, 'd');
const c = alias(votingCandidates, 'c');
const f = alias(forumUsers, 'f');
const u = alias(users, 'u');

const selectClusters = (db: Reader) =>
  db
    .select({
      id: r.id,
      signal: r.signal,
      state: r.state,
      candidateId: r.candidateId,
      candidateName: c.tokenName,
      facts: r.facts,
      votes: r.votes,
      // Only votes of valid generations: votes removed by a reset no longer wait.
      waiting:
        sql`(select coalesce(sum(w.votes), 0) from vote_review_waiting w join voting_candidates k on k.id = w.candidate_id
        where w.cluster_id = ${r.id} and w.generation = any(k.generations))`.mapWith(Number),
      members: r.members,
      networks: r.networks,
      ageHours: r.ageHours,
      foundAt: r.foundAt,
      grownAt: r.grownAt,
      decidedAt: r.decidedAt,
      decidedBy: sql`coalesce(f.username, left(u.id::text, 8))`.mapWith(orNull(asText)),
      reason: r.reason,
      decision: { kind: d.kind, votes: d.votes, done: d.done, beganAt: d.beganAt },
    })
    .from(r)
    .leftJoin(d, and(eq(d.clusterId, r.id), isNull(d.finishedAt)))
    .leftJoin(c, eq(c.id, r.candidateId))
    .leftJoin(u, eq(u.id, r.decidedBy))
    .leftJoin(f, eq(f.newAuthUserId, u.id));

const clusterOf = (row: Awaited<ReturnType<typeof selectClusters>>[number]): VoteCluster => ({
  ...row,
  foundAt: iso(row.foundAt),
  grownAt: iso(row.grownAt),
  decidedAt: isoOrNull(row.decidedAt),
  decision: row.decision && { ...row.decision, beganAt: iso(row.decision.beganAt) },
});

/** Clusters for the back office, with the name of their candidate. */
export async function listClusters(
  db: Reader,
  input: ListQuery & { signal: HoldKind | 'all'; state: VoteCluster['state'] | 'all'; id?: string | undefined },
): Promise<{ rows: VoteCluster[]; total: number }> {
  const parts = {
    from: sql`from vote_review_clusters r`,
    where: [
      input.signal === 'all' ? undefined : sql`r.signal = ${input.signal}`,
      input.state === 'all' ? undefined : sql`r.state = ${input.state}`,
      input.id === undefined ? undefined : sql`r.id = ${input.id}`,
    ],
    sorts: {
      foundAt: sql`r.found_at`,
      votes: sql`r.votes`,
      members: sql`r.members`,
      networks: sql`r.networks`,
      ageHours: sql`r.age_hours`,
      signal: sql`r.signal`,
    },
    notNull: ['foundAt', 'votes', 'members', 'networks', 'ageHours', 'signal'],
    tieBreaker: sql`r.id`,
    id: sql`r.id`,
    searchTerms: matchesTerms(
      sql`vote_review_clusters r join voting_candidates c on c.id = r.candidate_id`,
      sql`r.id`,
      sql`c.search`,
      input.q,
    ),
  };
  const { rows, total } = await listRecords(db, input, parts, ({ where, orderBy }) =>
    selectClusters(db).where(where).orderBy(orderBy),
  );
  return { rows: rows.map(clusterOf), total };
}

/** @throws NOT_FOUND */
export async function readCluster(db: Reader, id: string): Promise<VoteCluster> {
  const [row] = await selectClusters(db).where(eq(r.id, id));
  return clusterOf(row ?? fail('NOT_FOUND', { what: 'cluster' }));
}

/** The existing votes of a cluster, with their members. Networks are shown as a prefix of their hash. */
export async function listClusterVotes(
  db: Reader,
  input: ListQuery & { id: string },
): Promise<{ rows: ClusterVote[]; total: number }> {
  const parts = {
    from: sql`from vote_review_votes r join present_votes v on v.id = r.vote_id and v.voted_on = r.voted_on
      left join forum_users f on f.new_auth_user_id = r.user_id`,
    where: [
      sql`r.cluster_id = ${input.id}`,
      input.q === '' ? undefined : sql`coalesce(f.username, '') ilike ${`%${input.q.replace(/[\\%_]/g, '\\$&')}%`}`,
    ],
    sorts: { at: sql`v.created_at`, memberName: sql`coalesce(f.username, left(r.user_id::text, 8))` },
    notNull: ['at', 'memberName'],
    tieBreaker: sql`r.vote_id`,
    id: sql`r.vote_id`,
  };
  const held = alias(voteReviewVotes, 'r');
  const v = alias(presentVotes, 'v');
  const { rows, total } = await listRecords(db, input, parts, ({ where, orderBy }) =>
    db
      .select({
        id: held.voteId,
        memberId: held.userId,
        memberName: sql`coalesce(f.username, left(r.user_id::text, 8))`.mapWith(asText),
        candidateName: c.tokenName,
        at: v.createdAt,
        ageSeconds: sql`floor(extract(epoch from v.created_at - u.created_at))`.mapWith(Number),
        network: sql`left(encode(v.networks[1], 'hex'), 8)`.mapWith(orNull(asText)),
        state: v.state,
        stateReason: v.stateReason,
      })
      .from(held)
      .innerJoin(v, and(eq(v.id, held.voteId), eq(v.votedOn, held.votedOn)))
      .innerJoin(u, eq(u.id, held.userId))
      .innerJoin(c, eq(c.id, held.candidateId))
      .leftJoin(f, eq(f.newAuthUserId, held.userId))
      .where(where)
      .orderBy(orderBy),
  );
  return { rows: rows.map((row) => ({ ...row, at: iso(row.at) })), total };
}
