import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { NewsCard, NewsItem } from '#contract/domains/news.ts';
import { NEWS_EXCERPT, NEWS_EXCERPT_FIRST } from '#contract/limits.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import { excerpt, plainText } from '#contract/text/markup.ts';
import type { Reader } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';
import { news } from '#server/db/tables/news.ts';
import { fail } from '#server/lib/errors/fail.ts';

const PUBLIC = and(eq(news.isActive, true), isNull(news.deletedAt));

/** Ids of published news, newest first. */
export async function publishedNewsIds(db: Reader, max: number): Promise<string[]> {
  const rows = await db
    .select({ id: news.id })
    .from(news)
    .where(PUBLIC)
    .orderBy(sql`${news.publishedAt} desc nulls last`, news.id)
    .limit(max);
  return rows.map(({ id }) => id);
}

/** Published news, newest first; with `q` those whose title, content or author contains the words, ignoring case and accents. */
export async function listNews(
  db: Reader,
  input: { q?: string; offset: number; limit: number },
): Promise<{ items: NewsCard[]; total: number }> {
  const searchTerms = cleanText(input.q ?? '', 'line')
    .replaceAll('*', '')
    .trim();
  const found = and(PUBLIC, searchTerms ? sql`position(florka_fold(${searchTerms}) in ${news.search}) > 0` : undefined);
  const [rows, total] = await Promise.all([
    db
      .select({
        id: news.id,
        title: news.title,
        // More than any excerpt needs, including markup, but little enough to read it for a hundred long items.
        content: sql`left(${news.content}, 6000)`.mapWith(asText),
        imageUrl: news.imageUrl,
        authorName: news.authorName,
        publishedAt: news.publishedAt,
      })
      .from(news)
      .where(found)
      .orderBy(sql`${news.publishedAt} desc nulls last`, news.id)
      .limit(input.limit)
      .offset(input.offset),
    db.$count(news, found),
  ]);
  return {
    items: rows.map(({ content, publishedAt, ...row }, i) => ({
      ...row,
      excerpt: excerpt(plainText(content), i === 0 && input.offset === 0 ? NEWS_EXCERPT_FIRST : NEWS_EXCERPT),
      publishedAt: publishedAt?.toISOString() ?? null,
    })),
    total,
  };
}

/** @throws NOT_FOUND when it is not published. */
export const findNews = async (db: Reader, id: string): Promise<NewsItem> => (await readItem(db, id, PUBLIC)).item;

/** An item, published or not, in the form for readers. @throws NOT_FOUND when it does not exist, or is in the trash. */
export const readDraftOfNews = (db: Reader, id: string): Promise<{ item: NewsItem; shown: boolean }> =>
  readItem(db, id, isNull(news.deletedAt));

async function readItem(db: Reader, id: string, which: SQL | undefined): Promise<{ item: NewsItem; shown: boolean }> {
  const [row] = await db
    .select({
      id: news.id,
      title: news.title,
      content: news.content,
      imageUrl: news.imageUrl,
      authorName: news.authorName,
      publishedAt: news.publishedAt,
      updatedAt: news.updatedAt,
      shown: news.isActive,
    })
    .from(news)
    .where(and(which, eq(news.id, id)));
  const { publishedAt, updatedAt, shown, ...item } = row ?? fail('NOT_FOUND', { what: 'news' });
  return {
    item: { ...item, publishedAt: publishedAt?.toISOString() ?? null, updatedAt: updatedAt.toISOString() },
    shown,
  };
}
