import { type SQL, sql } from 'drizzle-orm';
import { MANY_FOUND } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';
import { cleanText } from '#server/lib/text/clean-text.ts';

interface ListQuery {
  page: number;
  size: number;
  /** A key of `sorts`, with '-' downwards. */
  sort: string;
}

interface ListParts {
  /** `from …` with its joins, for what is asked for and sorted by. */
  from: SQL;
  where: (SQL | undefined)[];
  /** The SQL behind each sort key of the contract; anything else can't be sorted by. */
  sorts: Record<string, SQL>;
  /** Sort keys whose column is never empty: an index has their order, so a page costs the same at any size. */
  notNull?: readonly string[];
  /** What is unique, so that pages never overlap. */
  tieBreaker: SQL;
  /** The key of a row: the page is found first, so that what is skipped costs neither columns nor joins. */
  id: SQL;
  /** Words that were asked for. */
  searchTerms?: Terms | undefined;
  /**
   * By sort key that may be empty: a `from` without the rows where it is, which an index has in order. Empty ones come
   * last, so a full page of the others is the page.
   */
  fromNotNull?: Record<string, SQL> | undefined;
  /**
   * A `from` that has `id`, the sort keys and what `where` asks for, and is cheaper to read; not for common words, which need
   * all columns. `holds` is true of all its rows, and is asked of the others.
   */
  keys?: { from: SQL; holds?: SQL };
}

/** Words to find, in two forms of the same condition. */
export interface Terms {
  /** A select of the ids that hold them, of at most MANY_FOUND + 1: what an index finds. */
  ids: SQL;
  /** True of a row that holds them. */
  condition: SQL;
}

/** Which rows a page has, and in which order: for `where` and `orderBy` of the query builder. */
export interface PageRows {
  where: SQL;
  orderBy: SQL;
}

/**
 * One page of a list of the back office, and how many rows there are in all; of words that more than MANY_FOUND rows hold,
 * only that there are more.
 *
 * Rare words are looked up and what they found is sorted; common ones are met anyway on the way along the order. Which of
 * the two it is the database can't know beforehand, and taking the wrong one takes a second at 100,000 rows.
 *
 * @param select reads the rows, with the same names for its tables as the parts have.
 */
export async function listRecords<Row>(
  db: Reader,
  { page, size, sort }: ListQuery,
  { from, where, sorts, notNull, tieBreaker, id, searchTerms, fromNotNull, keys }: ListParts,
  select: (rows: PageRows) => PromiseLike<Row[]>,
): Promise<{ rows: Row[]; total: number }> {
  const found = searchTerms && (await findIds(db, searchTerms));
  const many = found !== undefined && found.length > MANY_FOUND;
  // Common words are read along the way, for which their columns are needed.
  const source = keys && !many ? keys.from : from;
  const conditions = [
    ...where,
    many ? keys?.holds : undefined,
    found && (many ? searchTerms?.condition : sql`${id} = any(${sql.param(found)}::uuid[])`),
  ].filter((one) => one !== undefined);
  const filter = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const name = sort.replace(/^-/, '');
  const key = sorts[name];
  if (!key) throw new Error(`no sort key ${sort}`);
  const sortOrder = sql.raw(sort.startsWith('-') ? 'desc' : 'asc');
  const direction = notNull?.includes(name) ? sortOrder : sql`${sortOrder} nulls last`;
  const order = sql`${key} ${direction}, ${tieBreaker}`;
  const read = (source: SQL, pageOrder: SQL) =>
    select({
      where: sql`${id} in (select ${id} ${source} ${filter} order by ${pageOrder} limit ${size} offset ${(page - 1) * size})`,
      orderBy: order,
    });
  const readFilled = async (shortcut: SQL) => {
    const rows = await read(shortcut, sql`${key} ${sortOrder}, ${tieBreaker}`);
    return rows.length < size ? read(source, order) : rows;
  };
  const shortcut = fromNotNull?.[name];
  const [rows, total] = await Promise.all([
    shortcut ? readFilled(shortcut) : read(source, order),
    // Nothing but words was asked for: that many hold them is known already.
    many && conditions.length === 1 ? MANY_FOUND + 1 : countRows(db, sql`${source} ${filter}`, many),
  ]);
  return { rows, total };
}

/** The ids of what holds some words: at most MANY_FOUND + 1. */
export async function findIds(db: Reader, { ids }: Terms): Promise<string[]> {
  const rows = await db.select({ id: sql`id`.mapWith(asText) }).from(sql`(${ids}) found`);
  return rows.map(({ id }) => id);
}

async function countRows(db: Reader, rows: SQL, many: boolean): Promise<number> {
  const [counted] = await db
    .select({ total: sql`count(*)`.mapWith(Number) })
    .from(sql`(select 1 ${rows} ${many ? sql`limit ${MANY_FOUND + 1}` : sql``}) first`);
  return counted?.total ?? 0;
}

/**
 * What a word begins behind, besides the beginning of a text: signs that the index takes for a border of words. Where the
 * condition named fewer of them, such as spaces alone, the index would find every `@bench` for a `b`, and each row would be
 * read to be left out again. A class such as `[^[:alnum:]]` is one that the index does not understand.
 */
const WORD_BEGINS = '(^|[ ./@_:;,()#$+&!?-])';

/**
 * These words in a text that is folded already, such as a column `search`. The index knows words by three letters, so one or
 * two are looked for where a word begins.
 */
export function normalizedContains(text: SQL, searchTerms: string): SQL {
  const isShort = Array.from(searchTerms).length <= 2;
  if (isShort && /^[\p{L}\p{N}]+$/u.test(searchTerms))
    return sql`${text} ~ (${WORD_BEGINS} || florka_fold(${searchTerms}))`;
  const plain = searchTerms.replace(/[\\%_]/g, '\\$&');
  if (isShort) return sql`(${text} like florka_fold(${`${plain}%`}) or ${text} like florka_fold(${`% ${plain}%`}))`;
  return sql`${text} like florka_fold(${`%${plain}%`})`;
}

/** Words in one such text of a table; nothing to find is no condition. */
export function matchesTerms(table: SQL, id: SQL, text: SQL, term: string): Terms | undefined {
  const searchTerms = cleanText(term, 'line');
  if (!searchTerms) return undefined;
  const holding = normalizedContains(text, searchTerms);
  return {
    ids: sql`select ${id} as id from ${table} where ${holding} limit ${MANY_FOUND + 1}`,
    condition: withoutIndex(holding),
  };
}

/** A condition that no index is asked about. */
export const withoutIndex = (condition: SQL): SQL => sql`coalesce(${condition}, false)`;

/** Live records, or those in the trash. */
export const onShelf = (deletedAt: SQL, shelf: 'live' | 'trash'): SQL =>
  shelf === 'trash' ? sql`${deletedAt} is not null` : sql`${deletedAt} is null`;

/** A moment as the contract writes it. */
export const iso = (moment: string | Date): string => new Date(moment).toISOString();
export const isoOrNull = (moment: string | Date | null): string | null => (moment === null ? null : iso(moment));
