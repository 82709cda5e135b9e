import { sql } from 'drizzle-orm';
import type { ClusterVote, VoteCluster } from '#contract/admin/vote-review.ts';
import type { VoteSignal } from '#contract/vote-signals.ts';
import type { Reader } from '#server/db/client.ts';
import { fail } from '#server/lib/fail.ts';
import { iso, isoOrNull, matchesTerms, readPage } from '#server/records/lists.ts';

interface Page {
  q: string;
  page: number;
  size: number;
  sort: string;
}

const COLUMNS = sql`r.id, r.signal, r.state, r.candidate_id as "candidateId", c.token_name as "candidateName", r.facts, r.votes,
  (select count(*)::int from vote_review_votes w join present_votes v on v.id = w.vote_id
    where w.cluster_id = r.id and v.state = 'under_review') as waiting,
  r.members, r.networks, r.age_hours as "ageHours", r.found_at as "foundAt", r.grown_at as "grownAt",
  r.decided_at as "decidedAt", coalesce(f.username, u.email) as "decidedBy", r.reason`;
const FROM = sql`from vote_review_clusters r left join voting_candidates c on c.id = r.candidate_id
  left join users u on u.id = r.decided_by left join forum_users f on f.new_auth_user_id = u.id`;

const clusterOf = (row: VoteCluster): VoteCluster => ({
  ...row,
  foundAt: iso(row.foundAt),
  grownAt: iso(row.grownAt),
  decidedAt: isoOrNull(row.decidedAt),
});

/** Clusters for the back office, with the words of their candidate's name. */
export async function listClusters(
  db: Reader,
  input: Page & { signal: VoteSignal | 'all'; state: VoteCluster['state'] | 'all'; id?: string | undefined },
): Promise<{ rows: VoteCluster[]; total: number }> {
  const { rows, total } = await readPage<VoteCluster>(db, input, {
    columns: COLUMNS,
    from: FROM,
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
    filled: ['foundAt', 'votes', 'members', 'networks', 'ageHours', 'signal'],
    tie: sql`r.id`,
    id: sql`r.id`,
    searchTerms: matchesTerms(
      sql`vote_review_clusters r join voting_candidates c on c.id = r.candidate_id`,
      sql`r.id`,
      sql`c.search`,
      input.q,
    ),
  });
  return { rows: rows.map(clusterOf), total };
}

/** @throws NOT_FOUND */
export async function readCluster(db: Reader, id: string): Promise<VoteCluster> {
  const { rows } = await db.execute<VoteCluster & Record<string, unknown>>(
    sql`select ${COLUMNS} ${FROM} where r.id = ${id}`,
  );
  return rows[0] ? clusterOf(rows[0]) : fail('NOT_FOUND', { what: 'cluster' });
}

/** The votes of a cluster that are still there, with their members. Networks are shown as the beginning of their hash. */
export async function listClusterVotes(
  db: Reader,
  input: Page & { id: string },
): Promise<{ rows: ClusterVote[]; total: number }> {
  const { rows, total } = await readPage<ClusterVote>(db, input, {
    columns: sql`r.vote_id::int as id, r.user_id as "memberId", coalesce(f.username, left(r.user_id::text, 8)) as "memberName",
      c.token_name as "candidateName", v.created_at as at,
      floor(extract(epoch from v.created_at - u.created_at))::int as "ageSeconds",
      left(encode(v.networks[1], 'hex'), 8) as network, v.state, v.state_reason as "stateReason"`,
    from: sql`from vote_review_votes r join present_votes v on v.id = r.vote_id join users u on u.id = r.user_id
      join voting_candidates c on c.id = r.candidate_id left join forum_users f on f.new_auth_user_id = r.user_id`,
    where: [
      sql`r.cluster_id = ${input.id}`,
      input.q === '' ? undefined : sql`coalesce(f.username, '') ilike ${`%${input.q.replace(/[\\%_]/g, '\\$&')}%`}`,
    ],
    sorts: { at: sql`v.created_at`, memberName: sql`coalesce(f.username, left(r.user_id::text, 8))` },
    filled: ['at', 'memberName'],
    tie: sql`r.vote_id`,
    id: sql`r.vote_id`,
  });
  return { rows: rows.map((row) => ({ ...row, at: iso(row.at) })), total };
}
