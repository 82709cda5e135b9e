import { type SQL, sql } from 'drizzle-orm';
import { MANY_FOUND } from '#contract/limits.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Reader } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';

/** Which page of a list, in which order. */
export interface PageQuery {
  page: number;
  size: number;
  /** A key of `sorts`, with the prefix '-' for descending order. */
  sort: string;
  /** A title, without regard to case and accents: rows with exactly this title come first, unless the search terms are frequent. */
  titled?: string | undefined;
}

/** Input of every list of the back office; a list adds its filters. */
export interface ListQuery extends PageQuery {
  /** Search terms; empty for all rows. */
  q: string;
}

interface ListParts {
  /** `from …` with the joins that the conditions and the sorting need. */
  from: SQL;
  where: (SQL | undefined)[];
  /** SQL expression of each sort key of the contract; others are rejected. */
  sorts: Record<string, SQL>;
  /**
   * Sort keys with a non-null column and an index in their order, so that the cost of a page does not depend on the
   * table's size.
   */
  notNull?: readonly string[];
  /**
   * By sort key of `notNull` that has no index: a non-null column with an index, of which a larger value never has a smaller key.
   * Rows are read in its order, and only those with the same value are sorted.
   */
  coarse?: Record<string, SQL>;
  /** The title of a row, for lists that are read with `titled`. */
  title?: SQL;
  /** A unique expression, so that pages do not overlap. */
  tieBreaker: SQL;
  /** The key of a row: the page is found by keys first, so that skipped rows cost neither columns nor joins. */
  id: SQL;
  /** Search terms of the query. */
  searchTerms?: SearchCondition | undefined;
  /**
   * By sort key that may be null: a `from` without the rows where it is null, in the order of an index. Null comes
   * last, so a full page of the others is the page.
   */
  fromNotNull?: Record<string, SQL> | undefined;
  /**
   * A `from` with `id`, the sort keys and the columns of `where` that is cheaper to read; not used for frequent terms,
   * which need all columns. `holds` is a condition that is true of all its rows, and is added to the query when it is
   * not used.
   */
  keys?: { from: SQL; holds?: SQL };
}

/** The condition of a search in two forms. */
export interface SearchCondition {
  /** A select of at most MANY_FOUND + 1 ids of matching rows, by an index. */
  ids: SQL;
  /** Condition on a matching row. */
  condition: SQL;
}

/** Rows and order of a page: for `where` and `orderBy` of the query builder. */
export interface PageRows {
  where: SQL;
  orderBy: SQL;
}

/**
 * One page of a list of the back office, and the total number of rows; if more than MANY_FOUND rows match the search
 * terms, the total is MANY_FOUND + 1.
 *
 * Rare terms are found by their index and the result is sorted; frequent terms are checked row by row in the sort
 * order. The planner cannot predict which of the two is faster, and the wrong one takes a second at 100,000 rows.
 *
 * @param select reads the rows, with the same table names as in the parts.
 */
export async function listRecords<Row>(
  db: Reader,
  { page, size, sort, titled }: PageQuery,
  { from, where, sorts, notNull, coarse, title, tieBreaker, id, searchTerms, fromNotNull, keys }: ListParts,
  select: (rows: PageRows) => PromiseLike<Row[]>,
): Promise<{ rows: Row[]; total: number }> {
  const found = searchTerms && (await findIds(db, searchTerms));
  const many = found !== undefined && found.length > MANY_FOUND;
  // Frequent terms are checked row by row, for which their columns are needed.
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
  const steps = coarse?.[name];
  // With few matches all are sorted anyway.
  const exactFirst =
    found && !many && title && titled ? sql`(florka_fold(${title}) = florka_fold(${titled})) desc nulls last, ` : sql``;
  const order = sql`${exactFirst}${steps ? sql`${steps} ${direction}, ` : sql``}${key} ${direction}, ${tieBreaker}`;
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
    // Search terms are the only condition: their number of matches is already known.
    many && conditions.length === 1 ? MANY_FOUND + 1 : countRows(db, sql`${source} ${filter}`, many),
  ]);
  return { rows, total };
}

/** The ids of matching rows: at most MANY_FOUND + 1. */
export async function findIds(db: Reader, { ids }: SearchCondition): Promise<string[]> {
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
 * Characters before the beginning of a word, besides the beginning of a text: those at which the index splits words.
 * With fewer of them, such as only spaces, the index would return every `@bench` for a `b`, and each row would be read
 * and discarded. A class such as `[^[:alnum:]]` cannot be used with the index.
 */
const WORD_BEGINS = '(^|[ ./@_:;,()#$+&!?-])';

/**
 * Condition that a normalized text, such as a column `search`, contains these terms. The index has sequences of three
 * characters, so terms of one or two are only searched at the beginning of words.
 */
export function normalizedContains(text: SQL, searchTerms: string): SQL {
  const isShort = Array.from(searchTerms).length <= 2;
  if (isShort && /^[\p{L}\p{N}]+$/u.test(searchTerms))
    return sql`${text} ~ (${WORD_BEGINS} || florka_fold(${searchTerms}))`;
  const plain = searchTerms.replace(/[\\%_]/g, '\\$&');
  if (isShort) return sql`(${text} like florka_fold(${`${plain}%`}) or ${text} like florka_fold(${`% ${plain}%`}))`;
  return sql`${text} like florka_fold(${`%${plain}%`})`;
}

/** Search terms in one such text of a table; undefined for an empty term. */
export function matchesTerms(table: SQL, id: SQL, text: SQL, term: string): SearchCondition | undefined {
  const searchTerms = cleanText(term, 'line');
  if (!searchTerms) return undefined;
  const holding = normalizedContains(text, searchTerms);
  return {
    ids: sql`select ${id} as id from ${table} where ${holding} limit ${MANY_FOUND + 1}`,
    condition: withoutIndex(holding),
  };
}

/** Wraps a condition so that no index is used for it. */
export const withoutIndex = (condition: SQL): SQL => sql`coalesce(${condition}, false)`;

/** Condition for records outside of the trash, or in it. */
export const onShelf = (deletedAt: SQL, shelf: 'live' | 'trash'): SQL =>
  shelf === 'trash' ? sql`${deletedAt} is not null` : sql`${deletedAt} is null`;

/** ISO 8601, as in the contract. */
export const iso = (moment: string | Date): string => new Date(moment).toISOString();
export const isoOrNull = (moment: string | Date | null): string | null => (moment === null ? null : iso(moment));
