import { z } from 'zod';
import { proofMethod, type VerifiedBy } from '#contract/domains/ownership.ts';
import { jsonb } from '#server/db/pg-types.ts';

const shape = z.array(z.object({ by: proofMethod, what: z.string(), at: z.coerce.date() }));

/** Parses the result of `verifiedSql` for the query builder. */
export const asVerified = (value: unknown): VerifiedBy =>
  shape.parse(value).map((one) => ({ ...one, at: one.at.toISOString() }));
/** The same for statements. */
export const verifiedColumn = jsonb(asVerified);

const proofs = `jsonb_agg(jsonb_build_object('by', proof.method, 'what', proof.subject, 'at', proof.proven_at)
    order by proof.proven_at, proof.method)`;
type RecordColumn = 'project_id' | 'candidate_id' | 'next_project_id';

/**
 * Current proofs of a record, oldest first, as jsonb: the source of the mark of a verified token. Expired ones are ended by the
 * next run of the job `check-proofs`.
 *
 * @param table its name or alias in the statement.
 */
export const verifiedSql = (table: string, column: RecordColumn): string =>
  `coalesce((select ${proofs} from ownership_proofs proof
    where proof.${column} = ${table}.id and proof.state = 'valid'), '[]')`;

/**
 * The same for all rows of a page, as a join: an aggregate for each row costs ten times as much.
 *
 * @param rows their alias in the statement, after which the join stands; the join has the alias `proven`.
 * @param page the common table expression that they come from.
 */
export const joinedVerified = (
  rows: string,
  column: RecordColumn,
  page: string,
): { join: string; verified: string } => ({
  join: `left join (select proof.${column} as id, ${proofs} as list
    from ${page} proven_page join ownership_proofs proof on proof.${column} = proven_page.id and proof.state = 'valid'
    group by proof.${column}) proven on proven.id = ${rows}.id`,
  verified: `coalesce(proven.list, '[]')`,
});

/**
 * Ids of the members who may prove the token of a proof, as `readCreator` decides; null among them for accounts that were removed.
 *
 * @param proof alias of a row of ownership_proofs in the statement.
 */
export const creatorsSql = (proof: string): string => `
    select r.user_id as id from showcased_tokens s join token_creation_submissions r on r.id = s.request_id
      where s.project_id = ${proof}.project_id or s.next_project_id = ${proof}.next_project_id
        or s.candidate_id = ${proof}.candidate_id or s.candidate_id in (
          select w.winner_candidate_id from next_projects n join voting_rounds w on w.id = n.voting_round_id
          where n.id = ${proof}.next_project_id)
    union select submitted_by_user_id from projects where id = ${proof}.project_id
    union select submitted_by_user_id from next_projects where id = ${proof}.next_project_id
    union select u.id from project_submissions s join users u on u.email = lower(s.submitter_email) and u.email_verified
      where s.status = 'approved' and (s.project_id = ${proof}.project_id or s.next_project_id = ${proof}.next_project_id)`;
