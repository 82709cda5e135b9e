import { boolean, int4, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { creatorsSql } from './verified.service.ts';

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

/**
 * The members whom a proof concerns: the creators of its token; while none has an account, the admin or former creator who began it.
 *
 * @param proof alias of a row of ownership_proofs in the statement.
 */
const concernedSql = (proof: string) => `
    with creators as (select id from (${creatorsSql(proof)}) every_creator where id is not null)
    select id from creators union all select ${proof}.started_by where not exists (select 1 from creators)`;

/** The members whom a proof concerns. */
export const readConcerned = statement({
  parameters: { proof: uuid },
  row: { id: uuid },
  text: (at) => `
    select u.id from ownership_proofs p cross join lateral (${concernedSql('p')}) concerned join users u on u.id = concerned.id
    where p.id = ${at.proof} order by u.id`,
});

/**
 * Proofs that have not ended, of tokens whose only creator is this member, or that the member began; not those that an admin began for the
 * creators of a token.
 */
export const readProofsOf = statement({
  parameters: { member: uuid },
  row: { id: uuid },
  text: (at) => `
    select p.id from ownership_proofs p
    cross join lateral (select coalesce(bool_or(c.id = ${at.member}), false) as own, coalesce(bool_or(c.id <> ${at.member}), false) as others
      from (${creatorsSql('p')}) c) creators
    where p.state <> 'ended' and ((creators.own and not creators.others)
      or (p.started_by = ${at.member} and not exists (select 1 from admin_profiles a where a.id = ${at.member})))
    order by p.id`,
});

/** Valid proofs that end before a time, each with a member whom it concerns and who was not reminded of that end yet. */
export const readDueReminders = statement({
  parameters: { before: timestamptz, max: int4 },
  row: { proof: uuid, member: uuid, cause: text },
  text: (at) => `
    select p.id as proof, u.id as member, coalesce(reminder.cause, '') as cause from ownership_proofs p
    cross join lateral (select 'proof-ends:' || p.id || ':' || extract(epoch from p.expires_at)::bigint as cause) reminder
    cross join lateral (${concernedSql('p')}) concerned join users u on u.id = concerned.id
    where p.state = 'valid' and p.expires_at <= ${at.before}
      and not exists (select 1 from notifications n where n.user_id = u.id and n.cause = reminder.cause)
    order by p.expires_at, p.id, u.id limit ${at.max}`,
});
