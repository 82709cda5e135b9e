import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type LaunchChange, type LaunchProof, launchProof } from '#contract/domains/next-projects.ts';
import type { Reader } from '#server/db/client.ts';
import { nextLaunchChanges } from '#server/db/tables/next-projects.ts';

/** Changes of a launch that are shown; all are kept. */
const MAX_CHANGES = 20;

/** SQL for what proves the launch of a row of next_projects, as jsonb or null. @param table its name or alias in the query. */
export const launchProofSql = (table: string): string =>
  `next_launch_proof(${table}.contract_address, ${table}.network)`;

const onChain = launchProof.options[0].omit({ by: true }).nullable();
/** Reads what the SQL above answers, as JSON or parsed. */
export const asChainProof = (value: unknown) => onChain.parse(typeof value === 'string' ? JSON.parse(value) : value);
export type ChainProof = z.infer<typeof onChain>;

/** What is known of a launch, whether or not its hour has come. */
export function proofOf(chain: ChainProof, status: string): LaunchProof {
  if (chain) return { by: 'chain', ...chain };
  return { by: status === 'launched' ? 'team' : 'none' };
}

/** How the announced hours of these launches changed, newest first; what changed before anybody could know of it is left out. */
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
