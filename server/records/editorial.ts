import { ORPCError } from '@orpc/server';
import { and, eq, type InferSelectModel, sql } from 'drizzle-orm';
import type { PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Schedule } from '#contract/admin/editorial.ts';
import type { ScheduledKind, VersionedKind } from '#contract/admin/shared/audit-actions.ts';
import type { Resemblance } from '#contract/likeness.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asMoment } from '#server/db/expressions.ts';
import { recordSchedules } from '#server/db/tables/records.ts';
import type { Actor } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/each-alone.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { type Comparable, checkResemblance } from './likeness.ts';
import { type ImageStore, swapImage } from './record-images.ts';
import { type EditableTable, type Editor, type Note, type RecordKind, updateRecord } from './records.ts';
import { forgetRecords, versionFields } from './versions.ts';

interface Seen {
  id: string;
  version: number;
}
interface Moments {
  publishAt: string | null;
  expireAt: string | null;
}

/** What the mechanism needs of a kind of record whose versions can come back. */
interface VersionSpec<T extends EditableTable> {
  /** The values of the table for the fields of a version. */
  valuesOf: (fields: Record<string, unknown>) => PgUpdateSetSource<T>;
  /** Of tokens: as what they are compared with others when texts come back, as when they are saved. */
  comparedAs?: Resemblance['kind'];
}

/** A kind of record whose earlier texts can come back. */
export interface Versioned {
  what: VersionedKind;
  /** In which version it is now. @throws NOT_FOUND */
  present: (db: Reader, id: string) => Promise<{ version: number; deleted: boolean }>;
  /**
   * Makes the texts of an older version the present ones, as a new version.
   *
   * @param resemblanceAccepted they looked at what those texts resemble by now.
   * @throws NOT_FOUND, IN_TRASH, VERSION_CONFLICT, DUPLICATE, NOT_VALID, RESEMBLES
   */
  restore: (
    db: Db,
    images: ImageStore,
    by: Editor,
    seen: Seen,
    wanted: { version: number; resemblanceAccepted: boolean },
  ) => Promise<{ version: number; imageGone: boolean }>;
}

/** A kind of record that appears and goes at set moments. */
export interface Scheduled {
  what: ScheduledKind;
  /** @throws NOT_FOUND, IN_TRASH, VERSION_CONFLICT, SCHEDULE_REFUSED */
  setSchedule: (db: Db, by: Editor, seen: Seen, moments: Moments) => Promise<{ version: number }>;
  /** Does what is due for one record; false when there was nothing to do, or it lies in the trash. */
  applySchedule: (db: Db, id: string) => Promise<boolean>;
}

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };

async function databaseNow(db: Reader): Promise<Date> {
  const [row] = await db.select({ now: sql`clock_timestamp()`.mapWith(asMoment) }).from(sql`(select 1) one`);
  return row?.now ?? fail('NOT_FOUND', { what: 'clock' });
}

async function presentOf<T extends EditableTable>(db: Reader, { table, what }: RecordKind<T>, id: string) {
  const [row] = await db
    .select({ version: table.version, deletedAt: table.deletedAt })
    .from(table as PgTable)
    .where(eq(table.id, id));
  if (!row) return fail('NOT_FOUND', { what });
  return { version: Number(row.version), deleted: row.deletedAt !== null };
}

/** @throws NOT_FOUND, IN_TRASH */
async function refuseTrash<T extends EditableTable>(db: Reader, kind: RecordKind<T>, id: string): Promise<void> {
  if ((await presentOf(db, kind, id)).deleted) fail('IN_TRASH');
}

/** What brings versions of a kind of record back; its `keeps` says what a version holds. */
export function versioned<T extends EditableTable>(
  kind: RecordKind<T> & { what: VersionedKind },
  { valuesOf, comparedAs }: VersionSpec<T>,
): Versioned {
  const { what } = kind;
  return {
    what,
    present: (db, id) => presentOf(db, kind, id),
    async restore(db, images, by, seen, { version, resemblanceAccepted }) {
      await refuseTrash(db, kind, seen.id);
      const fields = await versionFields(db, what, seen.id, version);
      if (!fields) return fail('NOT_FOUND', { what: 'version' });
      const restored = async (given: Record<string, unknown>) => {
        const note: Note = { after: { restoredFrom: version }, restoredFrom: version };
        const row = await updateRecord(db, kind, by, seen, valuesOf(given), {
          action: `${what}.version_restored`,
          note,
          also: async (tx, now, before) => {
            await swapImage(images, by)(tx, asImaged(now), before && asImaged(before));
            // What was saved long ago may resemble what came since.
            if (comparedAs)
              await checkResemblance(comparedAs, resemblanceAccepted, note)(
                tx,
                now as unknown as Comparable & { id: string },
                before as unknown as Comparable | null,
              );
          },
        });
        return (row as { version: number }).version;
      };
      try {
        return { version: await restored(fields), imageGone: false };
      } catch (error) {
        const { code, data } = error as { code?: string; data?: { what?: string } };
        if (code !== 'NOT_FOUND' || data?.what !== 'image') throw error;
        const { imageUrl: _gone, ...rest } = fields;
        return { version: await restored(rest), imageGone: true };
      }
    },
  };
}

const asImaged = (row: unknown) => row as { imageUrl: string | null };

type Shown = { isActive: boolean };

/**
 * What makes a kind of record appear and go at its moments.
 *
 * @param appear the values with which a record becomes public, by the clock of the database.
 */
export function scheduled<T extends EditableTable>(
  kind: RecordKind<T> & { what: ScheduledKind },
  appear: (row: InferSelectModel<T>, now: Date) => PgUpdateSetSource<T>,
): Scheduled {
  const { what } = kind;
  const of = (id: string) => and(eq(recordSchedules.kind, what), eq(recordSchedules.recordId, id));
  const planned = async (tx: Tx, id: string) => {
    const [row] = await tx.select().from(recordSchedules).where(of(id)).for('update');
    return { publishAt: row?.publishAt ?? null, expireAt: row?.expireAt ?? null };
  };
  return {
    what,
    async setSchedule(db, by, seen, moments) {
      await refuseTrash(db, kind, seen.id);
      const note: Note = {};
      const change = async (row: InferSelectModel<T>, tx: Tx): Promise<PgUpdateSetSource<T>> => {
        const old = await planned(tx, seen.id);
        const [publishAt, expireAt] = [momentOf(moments.publishAt), momentOf(moments.expireAt)];
        if (isSameMoment(old.publishAt, publishAt) && isSameMoment(old.expireAt, expireAt)) return {};
        const now = await databaseNow(tx);
        refuseMoments({ publishAt, expireAt }, now, (row as Shown).isActive);
        if (!publishAt && !expireAt) await tx.delete(recordSchedules).where(of(seen.id));
        else {
          const values = { publishAt, expireAt, updatedAt: by.now, updatedBy: by.actor.id };
          await tx
            .insert(recordSchedules)
            .values({ kind: what, recordId: seen.id, ...values })
            .onConflictDoUpdate({ target: [recordSchedules.kind, recordSchedules.recordId], set: values });
        }
        note.before = serializeSchedule(old);
        note.after = serializeSchedule({ publishAt, expireAt });
        // Whoever has the record open meets this change as a conflict.
        return { updatedAt: now } as PgUpdateSetSource<T>;
      };
      try {
        const row = await updateRecord(db, kind, by, seen, change, { action: `${what}.scheduled`, note });
        return { version: (row as { version: number }).version };
      } catch (error) {
        if (!(error instanceof ORPCError) || error.code !== 'VERSION_CONFLICT') throw error;
        const now = await db.transaction((tx) => planned(tx, seen.id));
        return fail('VERSION_CONFLICT', {
          ...error.data,
          current: { ...error.data.current, ...serializeSchedule(now) },
        });
      }
    },
    async applySchedule(db, id) {
      const note: Note = {};
      let applied = false;
      const change = async (row: InferSelectModel<T>, tx: Tx): Promise<PgUpdateSetSource<T>> => {
        const { publishAt, expireAt } = await planned(tx, id);
        const now = await databaseNow(tx);
        const due = (moment: Date | null) => moment !== null && moment <= now;
        if (!due(publishAt) && !due(expireAt)) return {};
        applied = true;
        // What should have appeared and gone while nothing ran never appears.
        const ended = due(expireAt);
        if (ended || !expireAt) await tx.delete(recordSchedules).where(of(id));
        else await tx.update(recordSchedules).set({ publishAt: null }).where(of(id));
        note.action = ended ? `${what}.expired` : `${what}.published`;
        note.before = serializeSchedule({ publishAt, expireAt });
        note.after = serializeSchedule({ publishAt: null, expireAt: ended ? null : expireAt });
        const shown = (row as Shown).isActive;
        if (ended) return (shown ? { isActive: false } : {}) as PgUpdateSetSource<T>;
        return shown ? {} : appear(row, now);
      };
      try {
        await updateRecord(db, kind, { actor: SYSTEM, now: await databaseNow(db) }, { id, version: null }, change, {
          note,
        });
      } catch (error) {
        if (!(error instanceof ORPCError) || error.code !== 'NOT_FOUND') throw error;
        // In the trash it waits; purged it is forgotten.
        const left = await presentOf(db, kind, id).catch(() => null);
        if (!left) await db.transaction((tx) => forgetRecords(tx, what, [id]));
        return false;
      }
      return applied;
    },
  };
}

const momentOf = (iso: string | null) => (iso === null ? null : new Date(iso));
const isSameMoment = (one: Date | null, other: Date | null) => one?.getTime() === other?.getTime();
const serializeSchedule = ({ publishAt, expireAt }: { publishAt: Date | null; expireAt: Date | null }) => ({
  publishAt: publishAt?.toISOString() ?? null,
  expireAt: expireAt?.toISOString() ?? null,
});

function refuseMoments(
  { publishAt, expireAt }: { publishAt: Date | null; expireAt: Date | null },
  now: Date,
  shown: boolean,
): void {
  if (publishAt && expireAt && expireAt <= publishAt) fail('SCHEDULE_REFUSED', { why: 'order' });
  if (expireAt && expireAt <= now) fail('SCHEDULE_REFUSED', { why: 'ended' });
  if (publishAt && shown) fail('SCHEDULE_REFUSED', { why: 'shown' });
  if (publishAt && publishAt <= now) fail('SCHEDULE_REFUSED', { why: 'past' });
}

/** What is planned for one record. */
export async function scheduleOf(
  db: Reader,
  kind: string,
  id: string,
): Promise<{ publishAt: string | null; expireAt: string | null }> {
  const [row] = await db
    .select({ publishAt: recordSchedules.publishAt, expireAt: recordSchedules.expireAt })
    .from(recordSchedules)
    .where(and(eq(recordSchedules.kind, kind), eq(recordSchedules.recordId, id)));
  return serializeSchedule(row ?? { publishAt: null, expireAt: null });
}

/** At most this many records have something planned; more are planned all the same, and not listed. */
const MAX_LISTED = 1_000;

/** What is planned for records of a kind, the next first. */
export async function listSchedules(db: Reader, kind: ScheduledKind): Promise<Schedule[]> {
  const rows = await db
    .select()
    .from(recordSchedules)
    .where(eq(recordSchedules.kind, kind))
    .orderBy(sql`least(${recordSchedules.publishAt}, ${recordSchedules.expireAt})`, recordSchedules.recordId)
    .limit(MAX_LISTED);
  return rows.map(({ recordId, ...moments }) => ({ kind, id: recordId, ...serializeSchedule(moments) }));
}

/** Records that one run turns; the next one goes on. */
const BATCH = 1_000;

/**
 * Makes records appear and go whose moment has come by the clock of the database: each in a transaction of its own, with an
 * entry and a live event. Safe in several processes: a record is applied once.
 *
 * @returns how many changed, and how long until the next moment, in milliseconds; null when none is set.
 * @throws what failed, once every record had its turn.
 */
export async function applySchedules(
  db: Db,
  kinds: Readonly<Record<ScheduledKind, Scheduled>>,
): Promise<{ applied: number; nextIn: number | null }> {
  const next = sql`least(${recordSchedules.publishAt}, ${recordSchedules.expireAt})`;
  const due = await db
    .select({ kind: recordSchedules.kind, id: recordSchedules.recordId })
    .from(recordSchedules)
    .where(sql`${next} <= clock_timestamp()`)
    .orderBy(next)
    .limit(BATCH);
  let applied = 0;
  await runEachSettled(due, async ({ kind, id }) => {
    const one = (kinds as Record<string, Scheduled>)[kind];
    if (one && (await one.applySchedule(db, id))) applied++;
  });
  const [ahead] = await db
    .select({ ms: sql`extract(epoch from ${next} - clock_timestamp()) * 1000`.mapWith(Number) })
    .from(recordSchedules)
    .where(sql`${next} > clock_timestamp()`)
    .orderBy(next)
    .limit(1);
  return { applied, nextIn: ahead ? Math.max(0, ahead.ms) : null };
}
