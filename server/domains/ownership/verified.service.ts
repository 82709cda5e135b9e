import { z } from 'zod';
import { proofMethod, type VerifiedBy } from '#contract/domains/ownership.ts';
import { jsonb } from '#server/db/pg-types.ts';

const shape = z.array(z.object({ by: proofMethod, what: z.string(), at: z.coerce.date() }));

/** Parses the result of `verifiedSql` for the query builder. */
export const asVerified = (value: unknown): VerifiedBy =>
  shape.parse(value).map((one) => ({ ...one, at: one.at.toISOString() }));
/** The same for statements. */
export const verifiedColumn = jsonb(asVerified);

/**
 * Current proofs of a record, oldest first, as jsonb: the source of the mark of a verified token. Expired ones are ended by the
 * next run of the job `check-proofs`.
 *
 * @param table its name or alias in the statement.
 */
export const verifiedSql = (table: string, column: 'project_id' | 'candidate_id' | 'next_project_id'): string =>
  `coalesce((select jsonb_agg(jsonb_build_object('by', proof.method, 'what', proof.subject, 'at', proof.proven_at)
    order by proof.proven_at, proof.method) from ownership_proofs proof
    where proof.${column} = ${table}.id and proof.state = 'valid'), '[]')`;
