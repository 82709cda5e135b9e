import { eq } from 'drizzle-orm';
import type { AdminDeliverable } from '#contract/admin/deliverables.ts';
import { mayAs } from '#contract/staff.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { adminProfiles } from '#server/db/tables/accounts.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { forEachSeen, type Seen } from '#server/records/bulk.ts';
import { requireOwnLastChange } from '#server/records/last-change.ts';
import type { Editor } from '#server/records/records.ts';
import { auditDeliverable, lockOpen, readDeliverable, saveDeliverable } from './manage.service.ts';

type NewOwner = 'me' | 'nobody' | 'before';

/**
 * Assigns a deliverable to the admin, or releases it; `before` undoes the admin's own last such change.
 *
 * @throws NOT_FOUND, also when its previous owner may no longer handle it. @throws VERSION_CONFLICT, DELIVERABLE_CLOSED
 */
export function assignDeliverable(
  db: Db,
  by: Editor,
  me: { id: string },
  input: { id: string; version: number; owner: NewOwner },
): Promise<AdminDeliverable> {
  return db.transaction(async (tx) => {
    const row = await lockOpen(tx, input, by.now);
    const ownerId = await newOwnerOf(tx, by, me, row.id, input.owner);
    if (ownerId !== row.ownerId) {
      await saveDeliverable(tx, row, { ownerId }, by.now);
      await auditDeliverable(tx, by, 'deliverable.assigned', row, { ownerId }, { before: { ownerId: row.ownerId } });
    }
    return readDeliverable(tx, row.id, by.now);
  });
}

async function newOwnerOf(tx: Tx, by: Editor, me: { id: string }, id: string, owner: NewOwner): Promise<string | null> {
  if (owner !== 'before') return owner === 'me' ? me.id : null;
  const { before } = await requireOwnLastChange(tx, by.actor, 'deliverable', id, ['deliverable.assigned']);
  const { ownerId } = before;
  if (typeof ownerId !== 'string') return null;
  // Locked until the end: a concurrent change of their roles releases what they may no longer handle.
  const [colleague] = await tx
    .select({ staffRoles: adminProfiles.staffRoles })
    .from(adminProfiles)
    .where(eq(adminProfiles.id, ownerId))
    .for('share');
  if (!colleague || !mayAs(colleague.staffRoles, ['finance'])) fail('NOT_FOUND', { what: 'member' });
  return ownerId;
}

/** Assigns or releases several deliverables, each in a transaction of its own with its audit entry. */
export const assignDeliverables = (
  db: Db,
  by: Editor,
  me: { id: string },
  { records, owner }: { records: readonly Seen[]; owner: NewOwner },
) => forEachSeen(records, (seen) => assignDeliverable(db, by, me, { ...seen, owner }));
