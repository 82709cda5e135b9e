import { boolean, orNull, text, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/**
 * Whether a member is the creator of a token. `paid`: was signed in when the request was created that the token was made for, or is
 * stored as the submitter of the record. `requested`: an approved submission contains the member's mailbox. One of `project`,
 * `candidate` and `next` is set.
 */
export const readCreator = statement({
  parameters: { project: orNull(uuid), candidate: orNull(uuid), next: orNull(uuid), member: uuid, email: text },
  row: { paid: boolean, requested: boolean },
  text: (at) => `
    with won as (
      select r.winner_candidate_id as id from next_projects n join voting_rounds r on r.id = n.voting_round_id
      where n.id = ${at.next}
    )
    select
      exists (select 1 from showcased_tokens s join token_creation_submissions r on r.id = s.request_id
        where r.user_id = ${at.member} and (s.project_id = ${at.project} or s.candidate_id = ${at.candidate}
          or s.candidate_id in (select id from won) or s.next_project_id = ${at.next}))
      or exists (select 1 from projects where id = ${at.project} and submitted_by_user_id = ${at.member})
      or exists (select 1 from next_projects where id = ${at.next} and submitted_by_user_id = ${at.member}) as paid,
      exists (select 1 from project_submissions s where s.status = 'approved' and lower(s.submitter_email) = lower(${at.email})
        and (s.project_id = ${at.project} or s.next_project_id = ${at.next})) as requested`,
});
