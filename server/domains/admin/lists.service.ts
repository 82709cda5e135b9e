import { type SQL, sql } from 'drizzle-orm';
import type { Reader } from '#server/db/client.ts';
import { cleanText } from '#server/lib/clean-text.ts';

interface ListQuery {
  page: number;
  size: number;
  /** A key of `sorts`, with '-' downwards. */
  sort: string;
}

interface ListParts {
  columns: SQL;
  /** `from …` with its joins. */
  from: SQL;
  where: (SQL | undefined)[];
  /** The SQL behind each sort key of the contract; anything else can't be sorted by. */
  sorts: Record<string, SQL>;
  /** Sort keys whose column is never empty: an index has their order, so a page costs the same at any size. */
  filled?: readonly string[];
  /** What is unique, so that pages never overlap. */
  tie: SQL;
  /** The key of a row: with it the page is found first, so that what is skipped costs neither joins nor counts. */
  id?: SQL;
}

/** One page of a list of the back office, and how many rows there are in all. */
export async function readPage<Row extends Record<string, unknown>>(
  db: Reader,
  { page, size, sort }: ListQuery,
  { columns, from, where, sorts, filled, tie, id }: ListParts,
): Promise<{ rows: Row[]; total: number }> {
  const conditions = where.filter((one) => one !== undefined);
  const filter = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const name = sort.replace(/^-/, '');
  const key = sorts[name];
  if (!key) throw new Error(`no sort key ${sort}`);
  const nulls = filled?.includes(name) ? '' : ' nulls last';
  const direction = sql.raw((sort.startsWith('-') ? 'desc' : 'asc') + nulls);
  const order = sql`${key} ${direction}, ${tie}`;
  const rest = sql`${from} ${filter} order by ${order} limit ${size} offset ${(page - 1) * size}`;
  const [found, counted] = await Promise.all([
    db.execute<Row>(
      id
        ? sql`select ${columns} ${from} where ${id} in (select ${id} ${rest}) order by ${order}`
        : sql`select ${columns} ${rest}`,
    ),
    db.execute<{ total: number }>(sql`select count(*)::int as total ${from} ${filter}`),
  ]);
  return { rows: found.rows as Row[], total: counted.rows[0]?.total ?? 0 };
}

/** True where one of the texts holds these words, without regard to case and accents; nothing to find is no condition. */
export function holds(texts: SQL[], words: string): SQL | undefined {
  const wanted = cleanText(words, 'line');
  if (!wanted) return undefined;
  const pattern = `%${wanted.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`(${sql.join(
    texts.map((one) => sql`florka_fold(coalesce(${one}, '')) like florka_fold(${pattern})`),
    sql` or `,
  )})`;
}

/** The same in one column of words that are folded already, such as a `search`: nothing is folded for each row. */
export function holdsFolded(column: SQL, words: string): SQL | undefined {
  const wanted = cleanText(words, 'line');
  return wanted ? sql`${column} like florka_fold(${`%${wanted.replace(/[\\%_]/g, '\\$&')}%`})` : undefined;
}

/** Live records, or those in the trash. */
export const onShelf = (deletedAt: SQL, shelf: 'live' | 'trash'): SQL =>
  shelf === 'trash' ? sql`${deletedAt} is not null` : sql`${deletedAt} is null`;

/** A moment as the contract writes it; raw SQL answers with PostgreSQL's text. */
export const iso = (moment: string | Date): string => new Date(moment).toISOString();
export const isoOrNull = (moment: string | Date | null): string | null => (moment === null ? null : iso(moment));
