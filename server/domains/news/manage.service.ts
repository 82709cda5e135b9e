import { eq, getTableColumns, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { AdminNews, AdminNewsRow } from '#contract/admin/news.ts';
import { NEWS_AUTHOR } from '#contract/limits.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { news } from '#server/db/tables/news.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { type ListQuery, listRecords, matchesTerms, onShelf } from '#server/records/lists.ts';
import {
  type ImageHome,
  type ImageStore,
  imageReplacer,
  recordImage,
  swapImage,
} from '#server/records/record-images.ts';
import {
  createRecord,
  type Editor,
  type RecordKind,
  removeRecord,
  restoreRecord,
  type TrashedRecord,
  updateRecord,
} from '#server/records/records.ts';
import { versioned } from '#server/records/restore-version.ts';
import { scheduled } from '#server/records/schedules.ts';
import type { Trash } from '#server/records/trash.ts';

const IMAGES: ImageHome = { table: news, bucket: 'project-images' };

const NEWS = {
  table: news,
  what: 'news',
  live: ['news'],
  show: ({ title, content, authorName, imageUrl, isActive, publishedAt }) => ({
    title,
    content,
    authorName,
    imageUrl,
    isActive,
    publishedAt,
  }),
  keeps: ['title', 'content', 'authorName', 'imageUrl'],
} as const satisfies RecordKind<typeof news>;

export const NEWS_VERSIONS = versioned(NEWS, { valuesOf: (fields) => fields });
/** A scheduled item is published as if it were activated at that time. */
export const NEWS_SCHEDULE = scheduled(NEWS, (row, now) => ({ isActive: true, publishedAt: row.publishedAt ?? now }));

export const NEWS_IMAGE = imageReplacer(NEWS, ['imageUrl', 'content']);

export const NEWS_TRASH: Trash = { table: 'news', show: ['title'], images: ['image_url', 'content'] };

interface NewsFields {
  title: string;
  content: string;
  authorName: string;
  imageUrl: string | null;
  isActive: boolean;
}

/** Omits the columns that are as long as the item itself. */
const { search: _search, content: _content, ...ROW } = getTableColumns(alias(news, 'n'));

/** News for the back office, without their texts. The search covers title, author and text. */
export async function listAllNews(
  db: Reader,
  input: ListQuery & {
    shelf: 'live' | 'trash';
    status: 'all' | 'active' | 'inactive';
  },
): Promise<{ rows: AdminNewsRow[]; total: number }> {
  const parts = {
    from: sql`from news n`,
    where: [
      onShelf(sql`n.deleted_at`, input.shelf),
      input.status === 'all' ? undefined : sql`n.is_active = ${input.status === 'active'}`,
    ],
    sorts: {
      createdAt: sql`n.created_at`,
      title: sql`lower(n.title)`,
      authorName: sql`lower(n.author_name)`,
      publishedAt: sql`n.published_at`,
      isActive: sql`n.is_active`,
      updatedAt: sql`n.updated_at`,
    },
    notNull: ['createdAt', 'title', 'authorName'],
    id: sql`n.id`,
    title: sql`n.title`,
    // The search column contains the text without its markup.
    searchTerms: matchesTerms(sql`news n`, sql`n.id`, sql`n.search`, input.q.replaceAll('*', '')),
    tieBreaker: sql`n.id`,
  };
  const { rows, total } = await listRecords(db, input, parts, ({ where, orderBy }) =>
    db.select(ROW).from(alias(news, 'n')).where(where).orderBy(orderBy),
  );
  return { rows: rows.map(rowOf), total };
}

/** One item with its text, also from the trash. @throws NOT_FOUND */
export async function readNewsForAdmin(db: Reader, id: string): Promise<AdminNews> {
  const [row] = await db.select().from(news).where(eq(news.id, id));
  return newsOf(row ?? fail('NOT_FOUND', { what: 'news' }));
}

/** Creates an item. An active one is published immediately. @throws NOT_VALID, IMAGE_NOT_FETCHED */
export async function createNews(db: Db, media: ImageStore, by: Editor, fields: NewsFields): Promise<AdminNews> {
  const clean = cleanFields(fields);
  clean.imageUrl = await recordImage(db, media, by, IMAGES, null, clean.imageUrl);
  return newsOf(
    await createRecord(
      db,
      NEWS,
      by,
      { ...clean, publishedAt: clean.isActive ? by.now : null, createdAt: by.now, updatedAt: by.now },
      { also: swapImage(media, by) },
    ),
  );
}

/**
 * Updates an item. Its first activation sets the time of publication permanently (AMB-167).
 *
 * @throws NOT_FOUND, VERSION_CONFLICT, NOT_VALID, IMAGE_NOT_FETCHED
 */
export const updateNews = async (
  db: Db,
  media: ImageStore,
  by: Editor,
  { id, version, ...fields }: NewsFields & { id: string; version: number },
): Promise<AdminNews> => {
  const clean = cleanFields(fields);
  const imageUrl = await recordImage(db, media, by, IMAGES, id, clean.imageUrl);
  return newsOf(
    await updateRecord(
      db,
      NEWS,
      by,
      { id, version },
      (old) => ({ ...clean, imageUrl, publishedAt: old.publishedAt ?? (clean.isActive ? by.now : null) }),
      { also: swapImage(media, by) },
    ),
  );
};

/** Moves an item to the trash. @throws NOT_FOUND, VERSION_CONFLICT */
export const removeNews = async (db: Db, by: Editor, seen: { id: string; version: number }): Promise<AdminNews> =>
  newsOf(await removeRecord(db, NEWS, by, seen));

/** Restores an item from the trash unchanged. @throws NOT_FOUND */
export const restoreNews = async (db: Db, by: Editor, record: TrashedRecord): Promise<AdminNews> =>
  newsOf(await restoreRecord(db, NEWS, by, record));

/** A field that is empty after sanitizing is refused by the table, except the author, which has a default. */
const cleanFields = (fields: NewsFields): NewsFields => ({
  ...fields,
  title: cleanText(fields.title, 'line'),
  content: cleanText(fields.content, 'text'),
  authorName: cleanText(fields.authorName, 'line') || NEWS_AUTHOR,
});

type Row = typeof news.$inferSelect;

const rowOf = (row: Omit<Row, 'content' | 'search'>): AdminNewsRow => ({
  id: row.id,
  title: row.title,
  authorName: row.authorName,
  imageUrl: row.imageUrl,
  isActive: row.isActive,
  publishedAt: row.publishedAt?.toISOString() ?? null,
  version: row.version,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  deletedAt: row.deletedAt?.toISOString() ?? null,
});

const newsOf = (row: Row): AdminNews => ({ ...rowOf(row), content: row.content });
