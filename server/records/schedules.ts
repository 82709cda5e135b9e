import { ORPCError } from '@orpc/server';
import { and, eq, type InferSelectModel, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Schedule } from '#contract/admin/editorial.ts';
import type { ScheduledKind } from '#contract/admin/shared/audit-actions.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asMoment } from '#server/db/expressions.ts';
import { recordSchedules } from '#server/db/tables/records.ts';
import type { Actor } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { fail, notFoundAsNull } from '#server/lib/errors/fail.ts';
import type { Seen } from './bulk.ts';
import {
  type EditableTable,
  type Editor,
  isPublic,
  type Note,
  type RecordKind,
  readVersionOf,
  refuseTrash,
  updateRecord,
} from './records.ts';
import { forgetRecords } from './versions.ts';

interface Moments {
  publishAt: string | null;
  expireAt: string | null;
}

/** A kind of record that can be published and hidden at scheduled times. */
export interface Scheduled {
  what: ScheduledKind;
  /** @throws NOT_FOUND, IN_TRASH, VERSION_CONFLICT, SCHEDULE_REFUSED */
  setSchedule: (db: Db, by: Editor, seen: Seen, moments: Moments) => Promise<{ version: number }>;
  /** Applies what is due for one record; false if nothing was due, or the record is in the trash. */
  applySchedule: (db: Db, id: string) => Promise<boolean>;
}

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };

async function databaseNow(db: Reader): Promise<Date> {
  const [row] = await db.select({ now: sql`clock_timestamp()`.mapWith(asMoment) }).from(sql`(select 1) one`);
  return row?.now ?? fail('NOT_FOUND', { what: 'clock' });
}

type Shown = { isActive: boolean };

/**
 * Creates the scheduling for a kind of record.
 *
 * @param appear the values that publish a record; `now` is the time of the database.
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
        refuseMoments({ publishAt, expireAt }, now, isPublic(kind, row));
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
        // Creates a new version, so that an editor who has the record open receives a conflict.
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
        // A record whose whole period has passed while no job ran is not published.
        const ended = due(expireAt);
        if (ended || !expireAt) await tx.delete(recordSchedules).where(of(id));
        else await tx.update(recordSchedules).set({ publishAt: null }).where(of(id));
        note.action = ended ? `${what}.expired` : `${what}.published`;
        note.before = serializeSchedule({ publishAt, expireAt });
        note.after = serializeSchedule({ publishAt: null, expireAt: ended ? null : expireAt });
        if (ended) return ((row as Shown).isActive ? { isActive: false } : {}) as PgUpdateSetSource<T>;
        return isPublic(kind, row) ? {} : appear(row, now);
      };
      try {
        await updateRecord(db, kind, { actor: SYSTEM, now: await databaseNow(db) }, { id, version: null }, change, {
          note,
        });
      } catch (error) {
        if (!(error instanceof ORPCError) || error.code !== 'NOT_FOUND') throw error;
        // A record in the trash keeps its schedule; one that was purged loses it.
        const left = await readVersionOf(db, kind, id).catch(notFoundAsNull);
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

/** The schedule of one record. */
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

/** Maximum number of listed schedules; there may be more. */
const MAX_LISTED = 1_000;

/** The schedules of a kind of record, the next first. */
export async function listSchedules(db: Reader, kind: ScheduledKind): Promise<Schedule[]> {
  const rows = await db
    .select()
    .from(recordSchedules)
    .where(eq(recordSchedules.kind, kind))
    .orderBy(sql`least(${recordSchedules.publishAt}, ${recordSchedules.expireAt})`, recordSchedules.recordId)
    .limit(MAX_LISTED);
  return rows.map(({ recordId, ...moments }) => ({ kind, id: recordId, ...serializeSchedule(moments) }));
}

/** Records per run; the next run continues. */
const BATCH = 1_000;

/**
 * Publishes and hides records whose scheduled time has passed by the clock of the database: each in its own
 * transaction, with an audit entry and a live event. Safe in several processes: a schedule is applied once.
 *
 * @returns the number of changed records, and the milliseconds until the next scheduled time; null if there is none.
 * @throws the failures, after all records were processed.
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
