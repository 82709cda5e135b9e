import { text, uuid } from '#server/db/pg-types.ts';
import { command } from '#server/db/statement.ts';

/** Opens a decided cluster again; its key changes when a new cluster has been opened under the same key. */
export const reopenCluster = command({
  parameters: { id: uuid },
  text: (at) => `
    update vote_review_clusters c set state = 'open', decided_at = null, decided_by = null, reason = null,
      key = case when exists (select 1 from vote_review_clusters o where o.round_id = c.round_id and o.signal = c.signal
        and o.key = c.key and o.state = 'open') then c.key || ' ' || c.id else c.key end
    where id = ${at.id}`,
});

/** See decideHeldWithoutBan. */
export const decideHeld = command({
  parameters: { member: uuid, banned: text, voided: text },
  text: (at) => `
    with decided as (
      update votes v set
        banned_state = case c.state when 'released' then 'counted' else 'void' end,
        banned_reason = case c.state when 'released' then null else ${at.voided} end
      from vote_review_votes r join vote_review_clusters c on c.id = r.cluster_id
      where r.vote_id = v.id and r.voted_on = v.voted_on and v.user_id = ${at.member} and v.state = 'void'
        and v.state_reason = ${at.banned} and v.banned_state = 'under_review' and v.banned_reason = c.signal
        and c.state <> 'open'
      returning v.id, v.banned_state
    )
    update vote_review_votes r set decided_as = d.banned_state from decided d where r.vote_id = d.id`,
});
