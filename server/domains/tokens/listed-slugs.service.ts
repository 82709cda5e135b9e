import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
import type { Reader } from '#server/db/client.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { projects } from '#server/db/tables/projects.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';
import { publishedNewsIds } from '#server/domains/news/news.service.ts';

/**
 * The slugs after `/token/` of publicly listed tokens, newest of each kind first, without duplicates.
 *
 * @param max of each kind.
 */
async function listedTokenSlugs(db: Reader, max: number): Promise<string[]> {
  const [listed, candidates, next] = await Promise.all([
    db
      .select({ slug: projects.tokenSlug })
      .from(projects)
      .where(and(inArray(projects.status, ['published_home', 'approved']), isNull(projects.deletedAt)))
      .orderBy(desc(projects.createdAt), projects.id)
      .limit(max),
    db
      .select({ slug: votingCandidates.tokenSlug })
      .from(votingCandidates)
      .where(and(eq(votingCandidates.isActive, true), isNull(votingCandidates.deletedAt)))
      .orderBy(desc(votingCandidates.createdAt), votingCandidates.id)
      .limit(max),
    db
      .select({ slug: nextProjects.id })
      .from(nextProjects)
      .where(
        and(
          eq(nextProjects.isActive, true),
          inArray(nextProjects.status, ['published', 'launched']),
          isNull(nextProjects.deletedAt),
        ),
      )
      .orderBy(desc(nextProjects.createdAt), nextProjects.id)
      .limit(max),
  ]);
  return [...new Set([...listed, ...candidates, ...next].map(({ slug }) => slug))];
}

/**
 * Slugs for the site map: what follows `/token/` and `/news/`, newest first. One statement per kind, because the paginated
 * lists of the API would need hundreds of requests.
 *
 * @param max of each kind.
 */
export async function readListedSlugs(db: Reader, max: number): Promise<{ tokens: string[]; news: string[] }> {
  const [tokens, news] = await Promise.all([listedTokenSlugs(db, max), publishedNewsIds(db, max)]);
  return { tokens, news };
}
