import { sql } from 'drizzle-orm';
import { NEWS_EXCERPT, NEWS_EXCERPT_FIRST } from '#contract/limits.ts';
import { excerpt, plainText } from '#contract/markup.ts';
import type { NewsCard, NewsItem } from '#contract/news.ts';
import type { Reader } from '#server/db/client.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { fail } from '#server/lib/fail.ts';

interface Row extends Record<string, unknown> {
  id: string;
  title: string;
  content: string;
  image_url: string | null;
  author_name: string;
  published_at: string | null;
  updated_at: string;
}
const PUBLIC = sql.raw('is_active and deleted_at is null');
/** More than any excerpt needs, markup included, and little enough to read of a hundred long items. */
const EXCERPT_SOURCE = sql.raw('left(content, 6000) as content');
const iso = (at: string | null) => (at ? new Date(at).toISOString() : null);

/** Published news, newest first; with `q` those whose title, content or author holds the words, case and accents apart. */
export async function listNews(
  db: Reader,
  input: { q?: string; offset: number; limit: number },
): Promise<{ items: NewsCard[]; total: number }> {
  const searchTerms = cleanText(input.q ?? '', 'line')
    .replaceAll('*', '')
    .trim();
  const found = searchTerms ? sql`and position(florka_fold(${searchTerms}) in search) > 0` : sql``;
  const [rows, all] = await Promise.all([
    db.execute<Row>(sql`
      select id, title, ${EXCERPT_SOURCE}, image_url, author_name, published_at
      from news where ${PUBLIC} ${found}
      order by published_at desc nulls last, id limit ${input.limit} offset ${input.offset}`),
    db.execute<{ n: number }>(sql`select count(*)::int as n from news where ${PUBLIC} ${found}`),
  ]);
  return {
    items: rows.rows.map((row, i) => ({
      id: row.id,
      title: row.title,
      excerpt: excerpt(plainText(row.content), i === 0 && input.offset === 0 ? NEWS_EXCERPT_FIRST : NEWS_EXCERPT),
      imageUrl: row.image_url,
      authorName: row.author_name,
      publishedAt: iso(row.published_at),
    })),
    total: all.rows[0]?.n ?? 0,
  };
}

/** @throws NOT_FOUND when it is not published. */
export async function findNews(db: Reader, id: string): Promise<NewsItem> {
  const { rows } = await db.execute<Row>(sql`
    select id, title, content, image_url, author_name, published_at, updated_at
    from news where ${PUBLIC} and id = ${id}`);
  const row = rows[0] ?? fail('NOT_FOUND', { what: 'news' });
  return {
    id: row.id,
    title: row.title,
    content: row.content,
    imageUrl: row.image_url,
    authorName: row.author_name,
    publishedAt: iso(row.published_at),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}
