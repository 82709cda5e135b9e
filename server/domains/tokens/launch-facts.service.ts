import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type LaunchChange, type LaunchProof, launchProof } from '#contract/domains/next-projects.ts';
import type { Reader } from '#server/db/client.ts';
import { nextLaunchChanges } from '#server/db/tables/next-projects.ts';

/** Number of launch changes that are shown; all are stored. */
const MAX_CHANGES = 20;

/** SQL of the proof of a launch, for a row of next_projects, as jsonb or null. @param table its name or alias in the query. */
export const launchProofSql = (table: string): string =>
  `next_launch_proof(${table}.contract_address, ${table}.network)`;

const onChain = launchProof.options[0].omit({ by: true }).nullable();
/** Parses the result of the SQL above, as JSON or as an object. */
export const asChainProof = (value: unknown) => onChain.parse(typeof value === 'string' ? JSON.parse(value) : value);
export type ChainProof = z.infer<typeof onChain>;

/** The proof of a launch, before or after its hour: on a chain, by the status that the team set, or none. */
export function proofOf(chain: ChainProof, status: string): LaunchProof {
  if (chain) return { by: 'chain', ...chain };
  return { by: status === 'launched' ? 'team' : 'none' };
}

/** Changes of the announced hours of these launches, newest first; changes before their publication are omitted. */
export async function readLaunchChanges(db: Reader, projectIds: string[]): Promise<Map<string, LaunchChange[]>> {
  const found = new Map<string, LaunchChange[]>();
  if (projectIds.length === 0) return found;
  const c = nextLaunchChanges;
  const newest = db
    .select({
      projectId: c.projectId,
      was: c.was,
      becomes: c.becomes,
      changedAt: c.changedAt,
      id: c.id,
      place: sql`row_number() over (partition by ${c.projectId} order by ${c.id} desc)`.mapWith(Number).as('place'),
    })
    .from(c)
    .where(and(inArray(c.projectId, projectIds), eq(c.announced, true)))
    .as('newest');
  const rows = await db
    .select()
    .from(newest)
    .where(sql`${newest.place} <= ${MAX_CHANGES}`)
    .orderBy(newest.projectId, desc(newest.id));
  for (const { projectId, was, becomes, changedAt } of rows) {
    const one = {
      was: was?.toISOString() ?? null,
      becomes: becomes?.toISOString() ?? null,
      at: changedAt.toISOString(),
    };
    found.set(projectId, [...(found.get(projectId) ?? []), one]);
  }
  return found;
}
