import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { VersionedKind } from '#contract/admin/shared/audit-actions.ts';
import type { Resemblance } from '#contract/resemblance.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { Seen } from './bulk.ts';
import { type ImageStore, swapImage } from './record-images.ts';
import {
  type EditableTable,
  type Editor,
  type Note,
  type RecordKind,
  readVersionOf,
  refuseTrash,
  updateRecord,
} from './records.ts';
import { type Comparable, checkResemblance } from './resemblance.ts';
import { versionFields } from './versions.ts';

/** Configuration of a kind of record whose earlier versions can be restored. */
interface VersionSpec<T extends EditableTable> {
  /** The table values for the fields of a version. */
  valuesOf: (fields: Record<string, unknown>) => PgUpdateSetSource<T>;
  /** For tokens: the kind for the check of resemblances, which a restored text needs like an edited one. */
  comparedAs?: Resemblance['kind'];
}

/** A kind of record whose earlier texts can be restored. */
export interface Versioned {
  what: VersionedKind;
  /** Its current version. @throws NOT_FOUND */
  present: (db: Reader, id: string) => Promise<{ version: number; deleted: boolean }>;
  /**
   * Restores the texts of an earlier version, as a new version.
   *
   * @param wanted.resemblanceAccepted the editor has confirmed the resemblances that those texts have by now.
   * @returns the new version; `imageGone` if the image of that version no longer exists, and the record's image was
   *   left as it is.
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

/** Creates the restoring of versions for a kind of record; its `keeps` lists the fields of a version. */
export function versioned<T extends EditableTable>(
  kind: RecordKind<T> & { what: VersionedKind },
  { valuesOf, comparedAs }: VersionSpec<T>,
): Versioned {
  const { what } = kind;
  return {
    what,
    present: (db, id) => readVersionOf(db, kind, id),
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
            // An earlier text may resemble a record that was created since.
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
