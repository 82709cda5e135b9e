import { eq, type InferSelectModel } from 'drizzle-orm';
import type { PgColumn, PgInsertValue, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { AuditAction, TrashedKind } from '#contract/admin/shared/audit-actions.ts';
import type { AuditField } from '#contract/admin/shared/audit-fields.ts';
import type { LiveDomain } from '#contract/live.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { type Actor, type AuditFields, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { lastChange } from './last-change.ts';
import { storeVersion } from './versions.ts';

/** A table whose rows are edited by several people and deleted softly. */
export type EditableTable = PgTable & Record<'id' | 'version' | 'updatedAt' | 'deletedAt' | 'deletedBy', PgColumn>;

/** What editing, trash, audit and live screens need to know of a kind of record. */
export interface RecordKind<T extends EditableTable> {
  table: T;
  /** Its name in the audit, in NOT_FOUND and in acts: 'network' makes 'network.updated'. */
  what: Exclude<TrashedKind, 'post' | 'comment'>;
  /** Whose pages and open screens show it. */
  live: readonly LiveDomain[];
  /** The fields that people edit, as the contract names them: what audit and conflicts show. */
  show: (row: InferSelectModel<T>) => AuditFields;
  /** Unique indexes, and the field that a clash belongs to. */
  unique?: Record<string, string>;
  /** Fields of `show` whose earlier values are kept as versions (versions.ts); without it none are. */
  keeps?: readonly AuditField[];
}

export interface Editor {
  actor: Actor;
  now: Date;
}

/** What the work of a change finds out for its audit entry. */
export interface Note {
  action?: AuditAction;
  before?: AuditFields;
  after?: AuditFields;
  /** The version whose texts these are. */
  restoredFrom?: number;
}

interface Options<T extends EditableTable> {
  /** Filled by the change itself, read when its entry is written. */
  note?: Note;
  /** Past-tense act of the audit entry, when it is no plain change: 'project.top3_added'. */
  action?: AuditAction;
  reason?: string;
  /** More of the same change, in its transaction: counters, other tables, mails. */
  also?: (tx: Tx, row: InferSelectModel<T>, before: InferSelectModel<T> | null) => Promise<void>;
}

type Row = { id: string; version: number; updatedAt: Date; deletedAt: Date | null };
/** Drizzle's types can't follow a table that is a type parameter; the columns used here are those of EditableTable. */
const seen = (row: unknown) => row as Row;

/**
 * Adds a record.
 *
 * @throws DUPLICATE, NOT_VALID as the database's rules say.
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
 * Changes a record that nobody changed since the editor saw it. Saving what is there already changes nothing.
 *
 * @param version the one that the editor began with; null: whatever it is now, for switches that cannot overwrite words.
 * @param change the new values, or what finds them from the row as it is, which is locked.
 * @throws NOT_FOUND, VERSION_CONFLICT with the record as it is now and who changed it, DUPLICATE, NOT_VALID
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
 * Puts a record into the trash, out of every public page.
 *
 * @param change values that must not stay with it, such as a podium place.
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
    // Somebody else deleted it first: there is nothing left that the two could disagree about.
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

/**
 * Takes a record out of the trash.
 *
 * @throws NOT_FOUND when it is not in there (any more). @throws DUPLICATE when its name was given away meanwhile.
 */
export const restoreRecord = <T extends EditableTable>(
  db: Db,
  kind: RecordKind<T>,
  by: Editor,
  id: string,
  options: Options<T> & { change?: PgUpdateSetSource<T> } = {},
): Promise<InferSelectModel<T>> =>
  written(db, kind, async (tx) => {
    const old = await lockRow(tx, kind, id);
    if (!old || seen(old).deletedAt === null) fail('NOT_FOUND', { what: kind.what });
    const row = await write(tx, kind, by, old, {
      ...options.change,
      deletedAt: null,
      deletedBy: null,
    } as PgUpdateSetSource<T>);
    await finish(tx, kind, by, options, `${kind.what}.restored`, null, row);
    return row;
  });

/**
 * A live record, locked until the end of the transaction, as the editor saw it.
 *
 * @throws NOT_FOUND when there is none, and when it is in the trash and no version is given. @throws VERSION_CONFLICT
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
  return fail('VERSION_CONFLICT', {
    version: current,
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
  usual: AuditAction,
  before: InferSelectModel<T> | null,
  row: InferSelectModel<T>,
  gone = false,
): Promise<void> {
  await also?.(tx, row, before);
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
    action: note.action ?? action ?? usual,
    resourceType: kind.what,
    resourceId: seen(row).id,
    before: note.before ? { ...old, ...note.before } : old,
    after: note.after ? { ...now, ...note.after } : now,
    ...(reason ? { reason } : {}),
  });
}

const pick = (from: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, from[name] ?? null]));

const text = (value: unknown) => JSON.stringify(value ?? null);

/** The fields that differ, as they were and as they are. */
function changes(before: Record<string, unknown>, after: Record<string, unknown>): [AuditFields, AuditFields] {
  const names = Object.keys(after).filter((name) => text(before[name]) !== text(after[name]));
  return [pick(before, names), pick(after, names)];
}

const isSame = (old: object, values: object) =>
  Object.entries(values).every(
    ([name, value]) => value === undefined || text((old as Record<string, unknown>)[name]) === text(value),
  );

/** One transaction; what the database's rules refuse becomes a failure that the contract knows. */
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
