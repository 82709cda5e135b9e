// Owners of inbox items.
import { and, desc, eq, inArray } from 'drizzle-orm';
import { INBOX_STAFF, type InboxItem, type InboxSource } from '#contract/admin/inbox.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { adminProfiles } from '#server/db/tables/accounts.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import { inboxOwners } from '#server/db/tables/inbox.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { requireStaff } from '#server/lib/staff-rights.ts';
import type { Editor } from '#server/records/records.ts';
import { findItem } from './inbox.service.ts';
import { isWorkOf, type Worker } from './inbox-work.policy.ts';

/** The item after the change, and whether anything changed. */
interface Outcome {
  item: InboxItem;
  changed: boolean;
}

/**
 * Claims an item; idempotent for one's own.
 *
 * @throws STAFF_ROLE_NEEDED, NOT_FOUND when it is not waiting (any more), TAKEN when a colleague claimed it first.
 */
export async function claimItem(db: Db, by: Editor, me: Worker, source: InboxSource, id: string): Promise<Outcome> {
  requireStaff(me, INBOX_STAFF[source]);
  return db.transaction(async (tx) => {
    const item = await findItem(tx, source, id);
    if (item.owner?.id === me.id) return { item, changed: false };
    await give(tx, by, source, id, me.id);
    await audit(tx, by.actor, { action: 'inbox.taken', resourceType: source, resourceId: id });
    return { item: await findItem(tx, source, id), changed: true };
  });
}

/**
 * Releases an item, also that of an absent colleague.
 *
 * @param own only when it is the caller's: undoing a claim must not release what a colleague claimed meanwhile.
 * @throws NOT_FOUND, STAFF_ROLE_NEEDED when it is not their work. @throws TAKEN when it is a colleague's, with `own`.
 */
export async function releaseItem(
  db: Db,
  by: Editor,
  me: Worker,
  source: InboxSource,
  id: string,
  own = false,
): Promise<Outcome> {
  requireStaff(me, INBOX_STAFF[source]);
  return db.transaction(async (tx) => {
    await findItem(tx, source, id);
    const [before] = await tx
      .delete(inboxOwners)
      .where(
        and(
          eq(inboxOwners.source, source),
          eq(inboxOwners.itemId, id),
          own ? eq(inboxOwners.ownerId, me.id) : undefined,
        ),
      )
      .returning({ ownerId: inboxOwners.ownerId });
    const item = await findItem(tx, source, id);
    if (own && item.owner) fail('TAKEN', { by: item.owner.name });
    if (before) await audit(tx, by.actor, { action: 'inbox.released', resourceType: source, resourceId: id, before });
    return { item, changed: before !== undefined };
  });
}

/**
 * Undoes a release by the caller: the item returns to its previous owner.
 *
 * @throws NOT_FOUND when it is not waiting, when the last change of its owner is not that release, or when the previous owner may no
 * longer handle it. @throws TAKEN when it has an owner. @throws STAFF_ROLE_NEEDED when it is not their work.
 */
export async function returnItem(db: Db, by: Editor, me: Worker, source: InboxSource, id: string): Promise<Outcome> {
  requireStaff(me, INBOX_STAFF[source]);
  return db.transaction(async (tx) => {
    const item = await findItem(tx, source, id);
    if (item.owner) return fail('TAKEN', { by: item.owner.name });
    const [last] = await tx
      .select({ action: auditEvents.action, actorId: auditEvents.actorId, before: auditEvents.before })
      .from(auditEvents)
      .where(
        and(
          eq(auditEvents.resourceType, source),
          eq(auditEvents.resourceId, id),
          inArray(auditEvents.action, ['inbox.taken', 'inbox.released']),
        ),
      )
      .orderBy(desc(auditEvents.id))
      .limit(1);
    const { ownerId } = (last?.before ?? {}) as { ownerId?: string };
    if (last?.action !== 'inbox.released' || last.actorId !== me.id || !ownerId)
      return fail('NOT_FOUND', { what: 'item' });
    // Locked until the end: a concurrent change of their roles releases what they may no longer handle.
    const [owner] = await tx
      .select({ staffRoles: adminProfiles.staffRoles })
      .from(adminProfiles)
      .where(eq(adminProfiles.id, ownerId))
      .for('share');
    if (!owner || !isWorkOf(owner, source)) return fail('NOT_FOUND', { what: 'member' });
    await give(tx, by, source, id, ownerId);
    await audit(tx, by.actor, { action: 'inbox.taken', resourceType: source, resourceId: id, after: { ownerId } });
    return { item: await findItem(tx, source, id), changed: true };
  });
}

/** @throws TAKEN when it has an owner. */
async function give(tx: Tx, { now }: Editor, source: InboxSource, id: string, ownerId: string): Promise<void> {
  const { rowCount } = await tx
    .insert(inboxOwners)
    .values({ source, itemId: id, ownerId, takenAt: now })
    .onConflictDoNothing();
  if (rowCount === 0) fail('TAKEN', { by: (await findItem(tx, source, id)).owner?.name ?? '' });
}
