import { and, asc, desc, eq, inArray, isNull } from 'drizzle-orm';
import type { AdminDeliverable } from '#contract/admin/deliverables.ts';
import type { SoldPlace } from '#contract/domains/deliverables.ts';
import { PODIUM_SLOTS } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { projects } from '#server/db/tables/projects.ts';
import { showcasedTokens } from '#server/db/tables/showcased-tokens.ts';
import { soldPlaces } from '#server/db/tables/sold-places.ts';

/** The item of the plans that includes a place on home. */
export const PLACE_ITEM = 'spotlightWeek';

/** The newest place for each of these deliverables. */
export async function newestPlaces(db: Reader, deliverableIds: string[]): Promise<Map<string, SoldPlace>> {
  if (deliverableIds.length === 0) return new Map();
  const s = soldPlaces;
  const rows = await db
    .selectDistinctOn([s.deliverableId])
    .from(s)
    .where(inArray(s.deliverableId, deliverableIds))
    .orderBy(asc(s.deliverableId), desc(s.startsAt));
  return new Map(
    rows.map(({ deliverableId, kind, startsAt, endsAt, endedAt, endCause }) => [
      deliverableId,
      {
        kind,
        startsAt: startsAt.toISOString(),
        endsAt: endsAt.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
        endCause,
      },
    ]),
  );
}

/** Projects outside of the trash for the tokens of these requests, which places can be given to. */
export async function readPlaceableProjects(
  db: Reader,
  requestIds: string[],
): Promise<Map<string, AdminDeliverable['homes']>> {
  const homes = new Map<string, AdminDeliverable['homes']>();
  if (requestIds.length === 0) return homes;
  const rows = await db
    .select({
      requestId: showcasedTokens.requestId,
      id: projects.id,
      name: projects.tokenName,
      status: projects.status,
      place: projects.orderIndex,
    })
    .from(showcasedTokens)
    .innerJoin(projects, eq(projects.id, showcasedTokens.projectId))
    .where(and(inArray(showcasedTokens.requestId, requestIds), isNull(projects.deletedAt)))
    .orderBy(asc(showcasedTokens.showcasedAt), asc(projects.id));
  for (const { requestId, id, name, status, place } of rows) {
    const onHome = status === 'published_home';
    const inTop3 = onHome && place >= 1 && place <= PODIUM_SLOTS;
    homes.set(requestId, [...(homes.get(requestId) ?? []), { id, name, onHome, inTop3 }]);
  }
  return homes;
}
