import { z } from 'zod';
import { mediaBucket } from '../domains/media.ts';
import { errors } from '../errors.ts';
import { bulkAnswer, bulkIds, undoing } from './shared/bulk.ts';
import { adminRead, adminWrite, anyRecord, shelf } from './shared/list.ts';

/** Places that can show an image. The first four are records of the back office, in which the image can be replaced. */
export const MEDIA_PLACES = [
  'project',
  'candidate',
  'next_project',
  'news',
  'page',
  'post',
  'submission',
  'request',
  'member',
  'deliverable',
  'setting',
] as const;
/** Places where an image can be replaced; images sent by members are never changed. */
export const REPLACEABLE_PLACES = ['project', 'candidate', 'next_project', 'news'] as const;
export type ReplaceablePlace = (typeof REPLACEABLE_PLACES)[number];

/** Maximum number of uses listed in a row. */
export const MEDIA_USES_SHOWN = 4;
/** Page size of the library. */
const MEDIA_PAGE = 24;
/** Maximum number of records in which one request replaces an image. */
const MAX_REPLACED = 500;

const use = z.object({
  place: z.enum(MEDIA_PLACES),
  /** Id of the record; of a page and a setting its name. */
  record: z.string(),
  /** Current name of the record; null when it has none. */
  title: z.string().nullable(),
  inTrash: z.boolean(),
  /** Set for records in which the image can be replaced; null for others and in the trash. */
  version: z.int().positive().nullable(),
});
export type MediaUse = z.infer<typeof use>;

const image = z.object({
  id: z.uuid(),
  url: z.string(),
  bucket: mediaBucket,
  width: z.int(),
  height: z.int(),
  /** Size of the original upload. */
  bytes: z.int(),
  /** Name of the member who uploaded it; null for guests, the system and deleted accounts. */
  sentBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** True for an unused upload that no editor saved; deleted automatically 48 hours after the upload. */
  temporary: z.boolean(),
  trashedAt: z.iso.datetime().nullable(),
  /** True when its URL returns nothing: the image is in the trash, or the post that shows it is hidden. */
  hidden: z.boolean(),
  /** Number of records that show it. */
  uses: z.int().nonnegative(),
  /** The first MEDIA_USES_SHOWN of them. */
  shownIn: z.array(use),
});
export type LibraryImage = z.infer<typeof image>;

export const adminMedia = {
  /** Newest first; the trash by deletion, newest first. `cursor` is that of the previous page. */
  list: adminRead('/media', 'Stored images and where each is shown', ['editor'])
    .input(
      z.strictObject({
        shelf,
        status: z.enum(['all', 'unused']).default('all'),
        /**
         * Part of the name of a token, a news item or a post that shows it, of its uploader, or of its URL; for staff who may see
         * mailboxes, also of the uploader's. Shorter queries match too much.
         */
        q: z.string().trim().min(3).max(100).optional(),
        cursor: z
          .string()
          .regex(/^\d{10,17}\.[0-9a-f-]{36}$/)
          .nullish(),
        size: z.coerce.number().int().min(1).max(500).default(MEDIA_PAGE),
      }),
    )
    .output(z.object({ rows: z.array(image), nextCursor: z.string().nullable() })),
  read: adminRead('/media/images/{id}', 'A stored image with every record that shows it', ['editor'])
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(anyRecord)
    .output(image),
  /**
   * Replaces the image in all records of the back office that show it, or in none when one changed since the editor loaded it.
   * The URL of the old image ends when nothing shows it any more.
   */
  replace: adminWrite(
    'POST',
    '/media/images/{id}/replace',
    'Show another image wherever the back office shows this one',
    ['editor'],
  )
    .errors({
      NOT_FOUND: errors.NOT_FOUND,
      VERSION_CONFLICT: errors.VERSION_CONFLICT,
      IMAGE_USES_CHANGED: errors.IMAGE_USES_CHANGED,
    })
    .input(
      z.strictObject({
        id: z.uuid(),
        /** URL of the uploaded image: '/media/…'. */
        url: z.string().regex(/^\/media\/[0-9a-f]{32}\.webp$/),
        seen: z
          .array(z.strictObject({ place: z.enum(REPLACEABLE_PLACES), record: z.uuid(), version: z.int().positive() }))
          .min(1)
          .max(MAX_REPLACED),
      }),
    )
    .output(z.object({ replaced: z.int(), /** Records that go on showing the old one. */ left: z.int() })),
  /** Each image in its own transaction; one that is in use is refused (IMAGE_SHOWN). */
  remove: adminWrite('POST', '/media/remove', 'Put unused images into the trash', ['editor'])
    .input(z.strictObject({ ids: bulkIds, undo: undoing }))
    .output(bulkAnswer),
  restore: adminWrite('POST', '/media/restore', 'Take images out of the trash', ['editor'])
    .input(z.strictObject({ ids: bulkIds, undo: undoing }))
    .output(bulkAnswer),
};
