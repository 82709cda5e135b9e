import { sql } from 'drizzle-orm';
import type { Tally } from '#contract/voting.ts';
import type { Tx } from '#server/db/client.ts';
import { type Present, presentIn } from '#server/lib/clock.ts';
import { exactMoment } from './order.sql.ts';
import { notifyTallies } from './tally.sql.ts';

/**
 * Reads the counts of candidates as they are now in this transaction and notifies every open screen, in one statement. Votes
 * that are cast are counted and told by their own statement (cast-votes.sql.ts).
 *
 * @returns the tallies of those that can be voted for; open screens show no others.
 */
export async function publishTallies(tx: Tx, candidateIds: readonly string[], present: Present): Promise<Tally[]> {
  const { rows } = await tx.execute<{
    id: string;
    total_votes: number;
    votes_today: number;
    reached: string | null;
  }>(sql`
    with tallies as materialized (
      select c.id, c.total_votes, coalesce(d.votes, 0) as votes_today, c.total_reached_at as reached_at
      from voting_candidates c left join candidate_daily_votes d on d.candidate_id = c.id and d.day = (select (${presentIn(present)} at time zone 'UTC')::date)
      where c.id = any(${sql.param(candidateIds)}::uuid[]) and c.is_active and c.deleted_at is null
    ), reported as materialized (${sql.raw(notifyTallies('tallies'))})
    select id, total_votes, votes_today, ${sql.raw(exactMoment('reached_at'))} as reached
    from tallies cross join (select count(said) from reported) as all_reported`);
  return rows.map((row) => ({
    candidateId: row.id,
    totalVotes: row.total_votes,
    votesToday: row.votes_today,
    reachedAt: row.reached,
  }));
}
