import { sql } from 'drizzle-orm';
import type { TrashedKind } from '#contract/admin/shared/audit-actions.ts';
import type { AuditField } from '#contract/admin/shared/audit-fields.ts';
import { TRASH_DAYS } from '#contract/limits.ts';
import type { Db } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/each-alone.ts';
import { forgetRecords } from './versions.ts';

/** The column of a field, under the name of the field. */
const column = (field: AuditField) =>
  `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} as "${field}"`;

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };
/** Records of one kind that one run removes; the next run goes on. */
const MAX_ITEMS = 500;

/** What a kind of record says of its trash, beside its own rules. */
export interface Trash {
  /** The table as PostgreSQL names it; it has `id` and `deleted_at`. */
  table: string;
  /** What of a record the audit keeps when it is gone. */
  show: readonly AuditField[];
  /** SQL condition on the row `t` that stays: a post under which others still speak, the winner of a round. */
  keep?: string;
}

/**
 * Removes for good what lay in the trash for 30 days, each record with an audit entry. Safe to run twice and in two
 * processes: a record is removed by whoever locks it first.
 *
 * @param kinds every kind of record with a trash, in the order in which they are purged.
 * @returns how many of each kind.
 * @throws what failed, once every kind had its turn.
 */
export async function purgeTrash(
  db: Db,
  kinds: Readonly<Record<TrashedKind, Trash>>,
  now: Date,
): Promise<Record<string, number>> {
  const before = new Date(now.getTime() - TRASH_DAYS * 86_400_000).toISOString();
  const purged: Record<string, number> = {};
  await runEachSettled(
    Object.entries(kinds) as [TrashedKind, Trash][],
    async ([what, { table, show, keep: reason }]) => {
      const keep = reason ? sql.raw(`and not ${reason}`) : sql``;
      purged[what] = await db.transaction(async (tx) => {
        // Which columns it answers with only the kind knows.
        const { rows } = await tx.execute(sql`
        delete from ${sql.raw(table)} where id in (
          select t.id from ${sql.raw(table)} t where t.deleted_at <= ${before} ${keep}
          order by t.deleted_at limit ${MAX_ITEMS} for update skip locked)
        returning id, ${sql.raw(show.map(column).join(', '))}`);
        await forgetRecords(
          tx,
          what,
          rows.map(({ id }) => asText(id)),
        );
        for (const { id, ...shown } of rows)
          await audit(tx, SYSTEM, {
            action: `${what}.purged`,
            resourceType: what,
            resourceId: asText(id),
            before: shown,
          });
        return rows.length;
      });
    },
  );
  return purged;
}
