import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { AdminDeliverable } from '#contract/admin/deliverables.ts';
import { SPOTLIGHT_DAYS } from '#contract/admin/forms/deliverables.ts';
import { type Db, type Tx, withinTransaction } from '#server/db/client.ts';
import { deliverables } from '#server/db/tables/deliverables.ts';
import { projects } from '#server/db/tables/projects.ts';
import { soldPlaces } from '#server/db/tables/sold-places.ts';
import { lockRequest } from '#server/domains/payments/facts/record.service.ts';
import { setTop3 } from '#server/domains/projects/manage.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { audit } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import type { Editor } from '#server/records/records.ts';
import { SYSTEM } from './deliverables.service.ts';
import { notifyOfDeliverables } from './mails.ts';
import { lockOpen, readDeliverable, saveDeliverable } from './manage.service.ts';
import { PLACE_ITEM, readPlaceableProjects } from './place-reads.service.ts';

/**
 * Gives a project of the order's token the sold place on home, from now on by the database's clock. It is marked automatically; the
 * order of the projects does not change: the team sets its position before.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT, DELIVERABLE_CLOSED, PLACE_REFUSED
 */
export function startPlace(
  db: Db,
  by: Editor,
  input: { id: string; version: number; kind: 'home' | 'top3'; project: string },
): Promise<AdminDeliverable> {
  return db.transaction(async (tx) => {
    const row = await lockOpen(tx, input, by.now);
    if (row.item !== PLACE_ITEM) fail('PLACE_REFUSED', { why: 'item' });
    // Locked until the place is stored: a concurrent removal of the project from home waits, and then interrupts the place.
    await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, input.project)).for('no key update');
    const homes = (await readPlaceableProjects(tx, [row.submissionId])).get(row.submissionId) ?? [];
    const home = homes.find(({ id }) => id === input.project) ?? fail('PLACE_REFUSED', { why: 'project' });
    if (!home.onHome) fail('PLACE_REFUSED', { why: 'home' });
    if (input.kind === 'top3' && !home.inTop3) fail('PLACE_REFUSED', { why: 'top3' });
    const running = await tx.$count(
      soldPlaces,
      and(
        isNull(soldPlaces.endedAt),
        or(eq(soldPlaces.deliverableId, row.id), eq(soldPlaces.projectId, input.project)),
      ),
    );
    if (running > 0) fail('PLACE_REFUSED', { why: 'running' });
    const [place] = await tx
      .insert(soldPlaces)
      .values({
        deliverableId: row.id,
        projectId: input.project,
        kind: input.kind,
        days: SPOTLIGHT_DAYS,
        // A placeholder: the database sets its own clock.
        startsAt: by.now,
        endsAt: by.now,
        startedBy: by.actor.id,
      })
      .returning();
    await saveDeliverable(tx, row, {}, by.now);
    await publishChange(tx, 'projects');
    await audit(tx, by.actor, {
      action: 'deliverable.place_begun',
      resourceType: 'deliverable',
      resourceId: row.id,
      after: {
        requestId: row.submissionId,
        item: row.item,
        placeKind: input.kind,
        projectId: input.project,
        placeStarts: place?.startsAt.toISOString() ?? null,
        placeEnds: place?.endsAt.toISOString() ?? null,
      },
    });
    return readDeliverable(tx, row.id, by.now);
  });
}

interface Settling {
  db: Db;
  jobs: JobQueue;
  secret: string;
  now: Date;
}

/** Places per run. */
const BATCH_SIZE = 50;

/**
 * Processes and audits ended places: a completed one leaves the Top 3, and its deliverable, if open, is delivered with the period as
 * evidence; the payer gets a mail about a delivered or interrupted one. The database's clock determines the end.
 *
 * @returns the number of places.
 */
export async function settlePlaces({ db, ...rest }: Settling): Promise<number> {
  const found = await db
    .select({ id: soldPlaces.id, requestId: deliverables.submissionId })
    .from(soldPlaces)
    .innerJoin(deliverables, eq(deliverables.id, soldPlaces.deliverableId))
    .where(
      and(
        isNull(soldPlaces.settledAt),
        or(sql`${soldPlaces.endedAt} is not null`, lte(soldPlaces.endsAt, sql`clock_timestamp()`)),
      ),
    )
    .orderBy(asc(soldPlaces.endsAt), asc(soldPlaces.id))
    .limit(BATCH_SIZE);
  let settled = 0;
  await runEachSettled(found, async ({ id, requestId }) => {
    settled += await db.transaction((tx) => settle(tx, rest, id, requestId));
  });
  return settled;
}

/** '2026-11-23 14:05' */
const minute = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ');

async function settle(tx: Tx, services: Omit<Settling, 'db'>, id: string, requestId: string): Promise<number> {
  const { now } = services;
  await lockRequest(tx, requestId);
  // The deliverable is locked before its place, in the common lock order.
  const [seen] = await tx
    .select({ row: deliverables })
    .from(soldPlaces)
    .innerJoin(deliverables, eq(deliverables.id, soldPlaces.deliverableId))
    .where(eq(soldPlaces.id, id))
    .for('update', { of: deliverables });
  const [place] = await tx.select().from(soldPlaces).where(eq(soldPlaces.id, id)).for('update');
  if (!seen || !place || place.settledAt) return 0;
  const ended = place.endedAt ?? place.endsAt;
  const cause = place.endCause ?? 'time';
  await tx
    .update(soldPlaces)
    // To the microsecond, which a Date would lose.
    .set({ settledAt: now, ...(place.endedAt ? {} : { endedAt: sql`${soldPlaces.endsAt}`, endCause: cause }) })
    .where(eq(soldPlaces.id, id));
  const evidence = `${minute(place.startsAt)} – ${minute(ended)} UTC`;
  if (cause === 'interrupted' && seen.row.state === 'open')
    await notifyOfDeliverables(tx, services, 'interrupted', [{ ...seen.row, evidence }], now);
  if (cause === 'time') {
    await leaveTop3(tx, place, now);
    if (seen.row.state === 'open') {
      const saved = await saveDeliverable(
        tx,
        seen.row,
        { state: 'delivered', evidenceKind: 'place', evidence, doneAt: ended, doneBy: place.startedBy },
        now,
      );
      await notifyOfDeliverables(tx, services, 'done', [saved], now);
    }
  }
  await publishChange(tx, 'deliverables');
  await publishChange(tx, 'projects');
  await audit(tx, SYSTEM, {
    action: 'deliverable.place_ended',
    resourceType: 'deliverable',
    resourceId: place.deliverableId,
    after: {
      requestId,
      item: seen.row.item,
      placeKind: place.kind,
      projectId: place.projectId,
      cause,
      placeEnded: ended.toISOString(),
    },
  });
  return 1;
}

/** Frees a sold place in the Top 3 when its time is over. */
async function leaveTop3(tx: Tx, place: typeof soldPlaces.$inferSelect, now: Date): Promise<void> {
  if (place.kind !== 'top3' || !place.projectId) return;
  const [live] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, place.projectId), isNull(projects.deletedAt)));
  if (live) await setTop3(withinTransaction(tx), { actor: SYSTEM, now }, { id: live.id, on: false });
}
