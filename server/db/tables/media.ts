import { bit, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { MEDIA_PLACES } from '#contract/admin/media.ts';
import { bytea, moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';

/** One stored file of an image. */
export interface StoredVariant {
  file: string;
  type: string;
  width: number;
  height: number;
  bytes: number;
}

/** Uploaded images; their files are in the storage. */
export const media = pgTable('media', {
  id: uuid('id').primaryKey().defaultRandom(),
  /** 128 random bits in hex. */
  name: text('name').notNull().unique(),
  bucket: text('bucket', {
    enum: ['token-images', 'project-images', 'voting-candidate-images', 'forum-images'],
  }).notNull(),
  ownerUserId: uuid('owner_user_id').references(() => users.id, { onDelete: 'set null' }),
  ownerDraftId: uuid('owner_draft_id').references(() => tokenCreationSubmissions.id, { onDelete: 'set null' }),
  /** SHA-256 of the key of a guest's form. */
  ownerClaim: bytea('owner_claim'),
  status: text('status', { enum: ['temporary', 'used'] })
    .notNull()
    .default('temporary'),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  frames: integer('frames').notNull(),
  /** Size of the uploaded file. */
  bytes: integer('bytes').notNull(),
  sha256: bytea('sha256').notNull(),
  variants: jsonb('variants').$type<StoredVariant[]>().notNull(),
  /** Perceptual hash of the image (image-key.ts), all zeros without distinguishing features; null when it was not computed yet. */
  imageKey: bit('picture_key', { dimensions: 128 }),
  createdAt: moment('created_at').notNull().defaultNow(),
  usedAt: moment('used_at'),
  /** Number of records that show it, maintained by triggers. */
  uses: integer('uses').notNull().default(0),
  /** When it was moved to the trash; removed 30 days later. */
  trashedAt: moment('trashed_at'),
  /** Set before the files are deleted; the row is deleted after them. */
  deletedAt: moment('deleted_at'),
});

/** Uses of images; maintained by triggers on every table that may contain their URLs. */
export const mediaUses = pgTable(
  'media_uses',
  {
    place: text('place', { enum: MEDIA_PLACES }).notNull(),
    /** Id of the record; of a page its name. */
    record: text('record').notNull(),
    name: text('name').notNull(),
  },
  (table) => [primaryKey({ columns: [table.place, table.record, table.name] })],
);
