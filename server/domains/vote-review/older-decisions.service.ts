import { sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { BANNED } from '#server/domains/voting/banned-votes.service.ts';
import { VOIDED } from './decide.service.ts';

/**
 * Sets the decided state as the one without the ban, for votes of a banned member that are under review without the ban although
 * their cluster was decided. An earlier version left them so; decisions now do this themselves. The votes stay void, so counters
 * are unaffected until the ban ends.
 *
 * The caller holds the locks of the candidates.
 */
export async function decideHeldWithoutBan(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`
    with decided as (
      update votes v set
        banned_state = case c.state when 'released' then 'counted' else 'void' end,
        banned_reason = case c.state when 'released' then null else ${VOIDED} end
      from vote_review_votes r join vote_review_clusters c on c.id = r.cluster_id
      where r.vote_id = v.id and r.voted_on = v.voted_on and v.user_id = ${userId} and v.state = 'void'
        and v.state_reason = ${BANNED} and v.banned_state = 'under_review' and v.banned_reason = c.signal
        and c.state <> 'open'
      returning v.id, v.banned_state
    )
    update vote_review_votes r set decided_as = d.banned_state from decided d where r.vote_id = d.id`);
}
