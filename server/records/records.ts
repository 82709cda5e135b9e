import { eq, type InferSelectModel } from 'drizzle-orm';
import type { PgColumn, PgInsertValue, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { AuditAction, TrashedKind } from '#contract/admin/shared/audit-actions.ts';
import type { AuditField } from '#contract/admin/shared/audit-fields.ts';
import type { LiveDomain } from '#contract/live.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { type Actor, type AuditFields, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { lastChange, requireOwnLastChange } from './last-change.ts';
import { endScheduledPublication, storeVersion } from './versions.ts';

/** A table whose rows are edited by several people and deleted softly. */
export type EditableTable = PgTable & Record<'id' | 'version' | 'updatedAt' | 'deletedAt' | 'deletedBy', PgColumn>;

/** Configuration of a kind of record for editing, trash, audit and live events. */
export interface RecordKind<T extends EditableTable> {
  table: T;
  /** Its name in the audit log, in NOT_FOUND and in actions: 'network' gives 'network.updated'. */
  what: Exclude<TrashedKind, 'post' | 'comment'>;
  /** Live domains whose pages and clients show it. */
  live: readonly LiveDomain[];
  /** The editable fields, named as in the contract: shown in the audit log and in conflicts. */
  show: (row: InferSelectModel<T>) => AuditFields;
  /** Unique indexes, and the field that a violation is reported for. */
  unique?: Record<string, string>;
  /** Fields of `show` that are stored as versions (versions.ts); undefined: no versions. */
  keeps?: readonly AuditField[];
  /** True if the site shows the record; by default, if it is active. */
  isPublic?: (row: InferSelectModel<T>) => boolean;
}

export interface Editor {
  actor: Actor;
  now: Date;
}

/** Values that the work of a change adds to its audit entry. */
export interface Note {
  action?: AuditAction;
  before?: AuditFields;
  after?: AuditFields;
  /** The restored version. */
  restoredFrom?: number;
}

interface Options<T extends EditableTable> {
  /** Filled by the change itself, and read when its audit entry is written. */
  note?: Note;
  /** Past-tense action of the audit entry if it is not an ordinary change: 'project.top3_added'. */
  action?: AuditAction;
  reason?: string;
  /** Further work in the same transaction: counters, other tables, mails. */
  also?: (tx: Tx, row: InferSelectModel<T>, before: InferSelectModel<T> | null) => Promise<void>;
}

type Row = { id: string; version: number; updatedAt: Date; deletedAt: Date | null };
/**
 * Drizzle's types cannot be inferred for a table that is a type parameter; the columns used here are those of
 * EditableTable.
 */
const seen = (row: unknown) => row as Row;

/**
 * Inserts a record, with its audit entry and live events.
 *
 * @throws DUPLICATE, NOT_VALID for violated constraints of the database.
 */
export const createRecord = <T extends EditableTable>(
  db: Db,
  kind: RecordKind<T>,
  by: Editor,
  values: PgInsertValue<T>,
  options: Options<T> = {},
): Promise<InferSelectModel<T>> =>
  written(db, kind, async (tx) => {
    const [row] = (await tx.insert(kind.table).values(values).returning()) as InferSelectModel<T>[];
    if (!row) throw new Error(`no ${kind.what} inserted`);
    await finish(tx, kind, by, options, `${kind.what}.created`, null, row);
    return row;
  });

/**
 * Changes a record unless it was changed since the editor loaded it. Equal values change nothing.
 *
 * @param version version that the editor loaded; null: the current one, for switches that overwrite no text.
 * @param change the new values, or a function that computes them from the locked row.
 * @throws NOT_FOUND, VERSION_CONFLICT with the current record and who changed it, DUPLICATE, NOT_VALID
 */
export const updateRecord = <T extends EditableTable>(
  db: Db,
  kind: RecordKind<T>,
  by: Editor,
  { id, version }: { id: string; version: number | null },
  change:
    | PgUpdateSetSource<T>
    | ((row: InferSelectModel<T>, tx: Tx) => PgUpdateSetSource<T> | Promise<PgUpdateSetSource<T>>),
  options: Options<T> = {},
): Promise<InferSelectModel<T>> =>
  written(db, kind, async (tx) => {
    const old = await lockRecord(tx, kind, { id, version });
    const values = typeof change === 'function' ? await change(old, tx) : change;
    if (isSame(old, values)) return old;
    const row = await write(tx, kind, by, old, values);
    await finish(tx, kind, by, options, `${kind.what}.updated`, old, row);
    return row;
  });

/**
 * Moves a record to the trash and removes it from all public pages.
 *
 * @param options.change values to reset, such as a podium place.
 * @throws NOT_FOUND, VERSION_CONFLICT
 */
export const removeRecord = <T extends EditableTable>(
  db: Db,
  kind: RecordKind<T>,
  by: Editor,
  { id, version }: { id: string; version: number | null },
  options: Options<T> & { change?: PgUpdateSetSource<T> } = {},
): Promise<InferSelectModel<T>> =>
  written(db, kind, async (tx) => {
    const present = await lockRow(tx, kind, id);
    // Another person deleted it already: no conflict, because both wanted the same.
    if (!present || seen(present).deletedAt !== null) return fail('NOT_FOUND', { what: kind.what });
    const old = await lockRecord(tx, kind, { id, version });
    const row = await write(tx, kind, by, old, {
      ...options.change,
      deletedAt: by.now,
      deletedBy: by.actor.id,
    } as PgUpdateSetSource<T>);
    await finish(tx, kind, by, options, `${kind.what}.deleted`, old, row, true);
    return row;
  });

/** A record in the trash. */
export interface TrashedRecord {
  id: string;
  /** Only after the actor's own deletion: what a colleague restored or deleted since is refused, and stays. */
  undo: boolean;
}

/**
 * Restores a record from the trash.
 *
 * @throws NOT_FOUND when it does not exist. @throws DUPLICATE when its name is used by another record meanwhile.
 * @throws VERSION_CONFLICT when it is not in the trash, with the name of whom restored it.
 */
export const restoreRecord = <T extends EditableTable>(
  db: Db,
  kind: RecordKind<T>,
  by: Editor,
  { id, undo }: TrashedRecord,
  options: Options<T> & { change?: PgUpdateSetSource<T> } = {},
): Promise<InferSelectModel<T>> =>
  written(db, kind, async (tx) => {
    const old = await lockRow(tx, kind, id);
    if (!old) return fail('NOT_FOUND', { what: kind.what });
    if (undo)
      await requireOwnLastChange(tx, by.actor, kind.what, id, [`${kind.what}.deleted`, `${kind.what}.restored`]);
    if (seen(old).deletedAt === null) return failAsChanged(tx, kind, old);
    const row = await write(tx, kind, by, old, {
      ...options.change,
      deletedAt: null,
      deletedBy: null,
    } as PgUpdateSetSource<T>);
    await finish(tx, kind, by, options, `${kind.what}.restored`, null, row);
    return row;
  });

/**
 * Locks a live record until the end of the transaction, in the version that the editor loaded.
 *
 * @throws NOT_FOUND when it does not exist, or is in the trash in the expected version (or without one).
 * @throws VERSION_CONFLICT when the version differs, also of a record in the trash.
 */
export async function lockRecord<T extends EditableTable>(
  tx: Tx,
  kind: RecordKind<T>,
  { id, version }: { id: string; version: number | null },
): Promise<InferSelectModel<T>> {
  const row = await lockRow(tx, kind, id);
  if (!row) return fail('NOT_FOUND', { what: kind.what });
  const { version: current, deletedAt } = seen(row);
  if (deletedAt === null && (version === null || version === current)) return row;
  if (version === null || version === current) fail('NOT_FOUND', { what: kind.what });
  return failAsChanged(tx, kind, row);
}

/** @throws VERSION_CONFLICT, with the record as it is, and the name of whom changed it last. */
async function failAsChanged<T extends EditableTable>(
  tx: Tx,
  kind: RecordKind<T>,
  row: InferSelectModel<T>,
): Promise<never> {
  const { id, version, deletedAt } = seen(row);
  return fail('VERSION_CONFLICT', {
    version,
    current: kind.show(row),
    ...(await lastChange(tx, kind.what, id)),
    deleted: deletedAt !== null,
  });
}

async function lockRow<T extends EditableTable>(tx: Tx, { table }: RecordKind<T>, id: string) {
  const [row] = await tx
    .select()
    .from(table as PgTable)
    .where(eq(table.id, id))
    .for('no key update');
  return row as InferSelectModel<T> | undefined;
}

async function write<T extends EditableTable>(
  tx: Tx,
  { table, what }: RecordKind<T>,
  by: Editor,
  old: InferSelectModel<T>,
  values: PgUpdateSetSource<T>,
): Promise<InferSelectModel<T>> {
  const { id, version } = seen(old);
  const [row] = (await tx
    .update(table)
    .set({ ...values, version: version + 1, updatedAt: by.now } as PgUpdateSetSource<T>)
    .where(eq(table.id, id))
    .returning()) as InferSelectModel<T>[];
  return row ?? fail('NOT_FOUND', { what });
}

async function finish<T extends EditableTable>(
  tx: Tx,
  kind: RecordKind<T>,
  by: Editor,
  { action, reason, also, note = {} }: Options<T>,
  defaultAction: AuditAction,
  before: InferSelectModel<T> | null,
  row: InferSelectModel<T>,
  gone = false,
): Promise<void> {
  await also?.(tx, row, before);
  if (before && isPublic(kind, row) && !isPublic(kind, before)) {
    const publishAt = await endScheduledPublication(tx, kind.what, seen(row).id);
    if (publishAt) {
      note.before = { ...note.before, publishAt: publishAt.toISOString() };
      note.after = { ...note.after, publishAt: null };
    }
  }
  if (kind.keeps && !gone)
    await storeVersion(tx, kind.what, {
      id: seen(row).id,
      version: seen(row).version,
      fields: pick(kind.show(row), kind.keeps),
      before: before && {
        version: seen(before).version,
        fields: pick(kind.show(before), kind.keeps),
        at: seen(before).updatedAt,
      },
      restoredFrom: note.restoredFrom ?? null,
      by: by.actor.id,
      at: by.now,
    });
  for (const domain of kind.live) await publishChange(tx, domain);
  const [old, now] = gone
    ? [before && kind.show(before), null]
    : before
      ? changes(kind.show(before), kind.show(row))
      : [null, kind.show(row)];
  await audit(tx, by.actor, {
    action: note.action ?? action ?? defaultAction,
    resourceType: kind.what,
    resourceId: seen(row).id,
    before: note.before ? { ...old, ...note.before } : old,
    after: note.after ? { ...now, ...note.after } : now,
    ...(reason ? { reason } : {}),
  });
}

/** The current version of a record. @throws NOT_FOUND */
export async function readVersionOf<T extends EditableTable>(
  db: Reader,
  { table, what }: RecordKind<T>,
  id: string,
): Promise<{ version: number; deleted: boolean }> {
  const [row] = await db
    .select({ version: table.version, deletedAt: table.deletedAt })
    .from(table as PgTable)
    .where(eq(table.id, id));
  if (!row) return fail('NOT_FOUND', { what });
  return { version: Number(row.version), deleted: row.deletedAt !== null };
}

/** @throws NOT_FOUND, IN_TRASH */
export async function refuseTrash<T extends EditableTable>(db: Reader, kind: RecordKind<T>, id: string): Promise<void> {
  if ((await readVersionOf(db, kind, id)).deleted) fail('IN_TRASH');
}

/** True if the site shows the record. */
export const isPublic = <T extends EditableTable>(kind: RecordKind<T>, row: InferSelectModel<T>): boolean =>
  kind.isPublic?.(row) ?? ('isActive' in row && row.isActive === true);

const pick = (from: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, from[name] ?? null]));

const text = (value: unknown) => JSON.stringify(value ?? null);

/** The fields that differ, before and after. */
function changes(before: Record<string, unknown>, after: Record<string, unknown>): [AuditFields, AuditFields] {
  const names = Object.keys(after).filter((name) => text(before[name]) !== text(after[name]));
  return [pick(before, names), pick(after, names)];
}

const isSame = (old: object, values: object) =>
  Object.entries(values).every(
    ([name, value]) => value === undefined || text((old as Record<string, unknown>)[name]) === text(value),
  );

/** Runs one transaction and converts violated constraints of the database into errors of the contract. */
async function written<T extends EditableTable, R>(
  db: Db,
  kind: RecordKind<T>,
  work: (tx: Tx) => Promise<R>,
): Promise<R> {
  try {
    return await db.transaction(work);
  } catch (error) {
    throw refusalOf(error, kind.unique ?? {});
  }
}

const UNIQUE = '23505';
const CHECK = '23514';

function refusalOf(error: unknown, unique: Record<string, string>): unknown {
  const { code, constraint } = ((error as { cause?: unknown }).cause ?? error) as {
    code?: string;
    constraint?: string;
  };
  try {
    if (code === UNIQUE) fail('DUPLICATE', { fields: constraint && unique[constraint] ? [unique[constraint]] : [] });
    if (code === CHECK) fail('NOT_VALID');
  } catch (failure) {
    return failure;
  }
  return error;
}
