import { z } from 'zod';
import { mediaBucket } from '../domains/media.ts';
import { errors } from '../errors.ts';
import { bulkAnswer, bulkIds } from './shared/bulk.ts';
import { adminRead, adminWrite, anyRecord, shelf } from './shared/list.ts';

/** What can show an image. The first four are records of the back office, in which it can be replaced. */
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
] as const;
/** Where an image can be replaced: what members sent or said stays as they sent it. */
export const REPLACEABLE_PLACES = ['project', 'candidate', 'next_project', 'news'] as const;
export type ReplaceablePlace = (typeof REPLACEABLE_PLACES)[number];

/** Uses that a row of the list names. */
export const MEDIA_USES_SHOWN = 4;
/** Images of one page of the library. */
const MEDIA_PAGE = 24;
/** Records in which one act replaces an image. */
const MAX_REPLACED = 500;

const use = z.object({
  place: z.enum(MEDIA_PLACES),
  /** Id of the record; of a page its name. */
  record: z.string(),
  /** Name of the record as it is now; null where it has none. */
  title: z.string().nullable(),
  inTrash: z.boolean(),
  /** Of records in which the image can be replaced; null elsewhere and in the trash. */
  version: z.int().positive().nullable(),
});
export type MediaUse = z.infer<typeof use>;

const image = z.object({
  id: z.uuid(),
  url: z.string(),
  bucket: mediaBucket,
  width: z.int(),
  height: z.int(),
  /** Of the file as it was sent. */
  bytes: z.int(),
  /** Name of the member who sent it; null: a guest, the system, or gone. */
  sentBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** Unused ones that nobody saved are removed by themselves, 48 hours after they were sent. */
  temporary: z.boolean(),
  trashedAt: z.iso.datetime().nullable(),
  /** Its address answers nobody: it is in the trash, or the post that shows it is hidden. */
  hidden: z.boolean(),
  /** How many records show it. */
  uses: z.int().nonnegative(),
  /** The first of them. */
  shownIn: z.array(use),
});
export type LibraryImage = z.infer<typeof image>;

export const adminMedia = {
  /** Newest first, of the trash the last removed first; `cursor` is that of the page before. */
  list: adminRead('/media', 'Stored images and where each is shown', ['editor'])
    .input(
      z.strictObject({
        shelf,
        status: z.enum(['all', 'unused']).default('all'),
        /** Part of the name of what shows it or of who sent it, or its address; fewer letters find too much. */
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
   * Another image in all records of the back office that show this one, or in none: each as the editor saw it. Where nothing
   * shows the old one any more its address ends.
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
        /** Address of the uploaded image: '/media/…'. */
        url: z.string().regex(/^\/media\/[0-9a-f]{32}\.webp$/),
        seen: z
          .array(z.strictObject({ place: z.enum(REPLACEABLE_PLACES), record: z.uuid(), version: z.int().positive() }))
          .min(1)
          .max(MAX_REPLACED),
      }),
    )
    .output(z.object({ replaced: z.int(), /** Records that go on showing the old one. */ left: z.int() })),
  /** Each stands by itself: what something shows is refused (IMAGE_SHOWN). */
  remove: adminWrite('POST', '/media/remove', 'Put unused images into the trash', ['editor'])
    .input(z.strictObject({ ids: bulkIds }))
    .output(bulkAnswer),
  restore: adminWrite('POST', '/media/restore', 'Take images out of the trash', ['editor'])
    .input(z.strictObject({ ids: bulkIds }))
    .output(bulkAnswer),
};
