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
