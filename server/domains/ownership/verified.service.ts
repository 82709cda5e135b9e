import { z } from 'zod';
import { proofMethod, type VerifiedBy } from '#contract/domains/ownership.ts';
import { jsonb } from '#server/db/pg-types.ts';

const shape = z.array(z.object({ by: proofMethod, what: z.string(), at: z.coerce.date() }));

/** How the query builder reads what `verifiedSql` selects. */
export const asVerified = (value: unknown): VerifiedBy =>
  shape.parse(value).map((one) => ({ ...one, at: one.at.toISOString() }));
/** How statements read it. */
export const verifiedColumn = jsonb(asVerified);

/**
 * The proofs of a record that hold now, oldest first, as jsonb: what the mark of a verified token is drawn from. The job
 * `check-proofs` ends those whose time is over at its next run.
 *
 * @param table its name or alias in the statement.
 */
export const verifiedSql = (table: string, column: 'project_id' | 'candidate_id' | 'next_project_id'): string =>
  `coalesce((select jsonb_agg(jsonb_build_object('by', proof.method, 'what', proof.subject, 'at', proof.proven_at)
    order by proof.proven_at, proof.method) from ownership_proofs proof
    where proof.${column} = ${table}.id and proof.state = 'valid'), '[]')`;
