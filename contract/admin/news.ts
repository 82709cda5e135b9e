import { z } from 'zod';
import { errors } from '../errors.ts';
import { newsForm } from './forms/news.ts';
import { trashedRecord } from './shared/bulk.ts';
import {
  adminRead,
  adminWrite,
  anyRecord,
  listInput,
  pageOf,
  recordColumns,
  saving,
  seenRecord,
  shelf,
} from './shared/list.ts';

const savingImage = { ...saving, IMAGE_NOT_FETCHED: errors.IMAGE_NOT_FETCHED };

const row = z.object({
  ...recordColumns,
  title: z.string(),
  authorName: z.string(),
  imageUrl: z.string().nullable(),
  isActive: z.boolean(),
  /** Time of the first publication; null before it. */
  publishedAt: z.iso.datetime().nullable(),
});
export type AdminNewsRow = z.infer<typeof row>;

const item = row.extend({
  /** Source text in the product's light markup. */
  content: z.string(),
});
export type AdminNews = z.infer<typeof item>;

export const adminNews = {
  list: adminRead('/news', 'News, also inactive items, or those in the trash', ['editor'])
    .input(
      listInput(['createdAt', 'title', 'authorName', 'publishedAt', 'isActive', 'updatedAt'], {
        shelf,
        status: z.enum(['all', 'active', 'inactive']).default('all'),
      }),
    )
    .output(pageOf(row)),
  read: adminRead('/news/{id}', 'A news item with its text', ['editor'])
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(anyRecord)
    .output(item),
  /** `publishedAt` is set the first time an item becomes active. */
  create: adminWrite('POST', '/news', 'Write a news item', ['editor']).errors(savingImage).input(newsForm).output(item),
  update: adminWrite('PUT', '/news/{id}', 'Change a news item', ['editor'])
    .errors(savingImage)
    .input(seenRecord.extend(newsForm.shape))
    .output(item),
  remove: adminWrite('DELETE', '/news/{id}', 'Put a news item into the trash', ['editor'])
    .errors(saving)
    .input(seenRecord)
    .output(item),
  restore: adminWrite('POST', '/news/{id}/restore', 'Take a news item out of the trash', ['editor'])
    .errors(saving)
    .input(trashedRecord)
    .output(item),
};
