import { sql } from 'drizzle-orm';
import type { VoteSignal } from '#contract/vote-signals.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { changeVoteStates, lockCandidates } from '#server/domains/voting/vote-states.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
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
  const holdable = sql`select v.id from present_votes v where v.id = ${ids} and v.state = 'counted'
    and not exists (select 1 from vote_review_votes r where r.vote_id = v.id)`;
  // Nearly always a finding of before: not worth a lock.
  if ((await db.execute(sql`${holdable} limit 1`)).rows.length === 0) return 0;
  return db.transaction(async (tx) => {
    await lockCandidates(tx, sql`(select candidate_id from votes where id = ${ids})`);
    const { rows } = await tx.execute<{ id: string }>(holdable);
    const voteIds = rows.map(({ id }) => Number(id));
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
  const at = now.toISOString();
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into vote_review_clusters as c (round_id, signal, key, candidate_id, facts, found_at, grown_at)
    values (${roundId}, ${signal}, ${key}, ${candidateId}, ${JSON.stringify(facts)}::jsonb, ${at}, ${at})
    on conflict (round_id, signal, key) where state = 'open'
      do update set facts = excluded.facts, grown_at = excluded.grown_at
    returning id`);
  const id = rows[0]?.id ?? '';
  await tx.execute(sql`
    insert into vote_review_votes (vote_id, cluster_id, candidate_id, user_id, held_at)
    select v.id, ${id}, v.candidate_id, v.user_id, ${at} from votes v where v.id = any(${sql.param(voteIds)}::bigint[])`);
  await tx.execute(sql`
    update vote_review_clusters c set votes = g.votes, members = g.members, networks = g.networks, age_hours = g.age
    from (
      select count(*)::int as votes, count(distinct r.user_id)::int as members,
        count(distinct v.networks[1])::int as networks,
        coalesce(percentile_disc(0.5) within group (order by floor(extract(epoch from v.created_at - u.created_at) / 3600)::int), 0) as age
      from vote_review_votes r join votes v on v.id = r.vote_id join users u on u.id = r.user_id where r.cluster_id = ${id}
    ) g where c.id = ${id}`);
  return id;
}

interface RelatedRow extends Record<string, unknown> {
  vote_id: string;
  signal: VoteSignal;
  key: string;
  candidate_id: string | null;
  facts: Record<string, string | number>;
}

/**
 * New votes of members whose earlier votes for the same candidate wait or were voided in this round: they belong to the same
 * cluster, or to a new one like it when that was decided.
 */
export async function relatedFindings(db: Reader, roundId: string, votes: readonly ReviewVote[]): Promise<Finding[]> {
  if (votes.length === 0) return [];
  const { rows } = await db.execute<RelatedRow>(sql`
    select n.id as vote_id, c.signal, c.key, c.candidate_id, c.facts
    from unnest(${sql.param(votes.map(({ id }) => id))}::bigint[], ${sql.param(votes.map(({ member }) => member.id))}::uuid[],
      ${sql.param(votes.map(({ candidateId }) => candidateId))}::uuid[]) as n (id, user_id, candidate_id)
    join lateral (
      select c.signal, c.key, c.candidate_id, c.facts from vote_review_votes r
      join vote_review_clusters c on c.id = r.cluster_id and c.round_id = ${roundId}
      where r.user_id = n.user_id and r.candidate_id = n.candidate_id and r.vote_id <> n.id
        and (c.state = 'open' or r.decided_as = 'void')
      order by r.held_at desc limit 1
    ) c on true`);
  const byId = new Map(votes.map((vote) => [vote.id, vote]));
  return [...Map.groupBy(rows, ({ signal, key }) => `${signal} ${key}`).values()].map((group) => {
    const { signal, key, candidate_id: candidateId, facts } = group[0] as RelatedRow;
    return {
      signal,
      key,
      candidateId,
      facts,
      votes: group.flatMap((row) => byId.get(Number(row.vote_id)) ?? []),
    };
  });
}
