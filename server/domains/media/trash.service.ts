import { and, asc, eq, inArray, isNotNull, isNull, lte, not, sql } from 'drizzle-orm';
import { TRASH_DAYS } from '#contract/limits.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { media } from '#server/db/tables/media.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { requireOwnLastChange } from '#server/records/last-change.ts';
import type { Editor, TrashedRecord } from '#server/records/records.ts';
import { nameOfUrl, urlOf } from './media.policy.ts';
import { shownAnywhere } from './references.ts';

/** The name of one of our images by its URL, and its URL by its name. */
export const nameOfImage = nameOfUrl;
export const urlOfImage = urlOf;

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };
/** Images removed per run; the next run continues. */
const MAX_ITEMS = 500;

const locked = async (tx: Tx, id: string) => {
  const [row] = await tx
    .select({ name: media.name, trashedAt: media.trashedAt })
    .from(media)
    .where(and(eq(media.id, id), isNull(media.deletedAt)))
    .for('update');
  return row ?? fail('NOT_FOUND', { what: 'image' });
};

/** An image that is not in the trash, locked: no record can start to show it until the transaction ends. @throws NOT_FOUND */
export async function lockImage(tx: Tx, id: string): Promise<string> {
  const { name, trashedAt } = await locked(tx, id);
  return trashedAt ? fail('NOT_FOUND', { what: 'image' }) : name;
}

/** Actions that an undo may reverse only while the last of them is the actor's own. */
const TRASH_ACTIONS = ['image.deleted', 'image.restored'] as const;

/**
 * Moves an unused image to the trash.
 *
 * @throws NOT_FOUND, IMAGE_SHOWN, VERSION_CONFLICT as an undo, after a colleague deleted or restored it.
 */
export async function trashImage(
  tx: Tx,
  by: Editor,
  id: string,
  { undo }: Pick<TrashedRecord, 'undo'>,
): Promise<'done' | 'unchanged'> {
  // Locked first, so that the next statements see a use that was added, or a change that was made, concurrently.
  const { name, trashedAt } = await locked(tx, id);
  if (undo) await requireOwnLastChange(tx, by.actor, 'image', id, TRASH_ACTIONS);
  if (trashedAt) return 'unchanged';
  const { rowCount } = await tx
    .update(media)
    .set({ trashedAt: by.now })
    .where(and(eq(media.id, id), not(shownAnywhere(sql`media.name`))));
  if (!rowCount) fail('IMAGE_SHOWN');
  await audit(tx, by.actor, {
    action: 'image.deleted',
    resourceType: 'image',
    resourceId: id,
    before: { imageUrl: urlOf(name) },
  });
  await publishChange(tx, 'media');
  return 'done';
}

/**
 * Restores an image from the trash.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT as an undo, after a colleague restored or deleted it.
 */
export async function untrashImage(
  tx: Tx,
  by: Editor,
  id: string,
  { undo }: Pick<TrashedRecord, 'undo'>,
): Promise<'done' | 'unchanged'> {
  const { name, trashedAt } = await locked(tx, id);
  if (undo) await requireOwnLastChange(tx, by.actor, 'image', id, TRASH_ACTIONS);
  if (!trashedAt) return 'unchanged';
  // An image that was never used gets its 48 hours again.
  await tx
    .update(media)
    .set({
      trashedAt: null,
      createdAt: sql`case when ${media.status} = 'temporary' then ${by.now.toISOString()}::timestamptz else ${media.createdAt} end`,
    })
    .where(eq(media.id, id));
  await audit(tx, by.actor, {
    action: 'image.restored',
    resourceType: 'image',
    resourceId: id,
    after: { imageUrl: urlOf(name) },
  });
  await publishChange(tx, 'media');
  return 'done';
}

/**
 * Marks images that were in the trash for 30 days as deleted; the next cleaning deletes the files. Idempotent. @returns the number
 * of images.
 */
export const purgeImages = (db: Db, now: Date): Promise<number> =>
  db.transaction(async (tx) => {
    const old = await tx
      .select({ id: media.id })
      .from(media)
      .where(
        and(
          isNull(media.deletedAt),
          isNotNull(media.trashedAt),
          lte(media.trashedAt, new Date(now.getTime() - TRASH_DAYS * 86_400_000)),
        ),
      )
      .orderBy(asc(media.trashedAt))
      .limit(MAX_ITEMS)
      .for('update', { skipLocked: true });
    if (old.length === 0) return 0;
    const gone = await tx
      .update(media)
      .set({ deletedAt: now })
      .where(
        and(
          inArray(
            media.id,
            old.map(({ id }) => id),
          ),
          not(shownAnywhere(sql`media.name`)),
        ),
      )
      .returning({ id: media.id, name: media.name });
    for (const { id, name } of gone)
      await audit(tx, SYSTEM, {
        action: 'image.purged',
        resourceType: 'image',
        resourceId: id,
        before: { imageUrl: urlOf(name) },
      });
    if (gone.length > 0) await publishChange(tx, 'media');
    return gone.length;
  });
