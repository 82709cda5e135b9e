// Pages of the lists about a person, newest first: each begins after the last row of the one before, so that rows added or deleted
// meanwhile neither repeat nor hide others.
import { desc, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { asText } from '#server/db/expressions.ts';

/** Rows of each page. */
const PAGE = 30;

export interface Page<Row> {
  rows: Row[];
  /** Cursor of the page after it; null when it is the last. */
  next: string | null;
}

/** The order of a list, by time and id. */
interface Order {
  /** Selected with each row: its cursor, with the microseconds that a Date does not have. */
  key: SQL<string>;
  newestFirst: SQL[];
  /** Condition of the rows after a cursor; none for the first page. */
  after(cursor: string | null): SQL | undefined;
}

export const orderBy = (at: AnyPgColumn, id: AnyPgColumn): Order => ({
  key: sql`(extract(epoch from ${at}) * 1000000)::bigint::text || '.' || ${id}::text`.mapWith(asText),
  newestFirst: [desc(at), desc(sql`${id}::text`)],
  after(cursor) {
    const [micros, last] = cursor?.split('.') ?? [];
    return micros === undefined
      ? undefined
      : sql`(${at}, ${id}::text) < ('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond', ${last})`;
  },
});

/** One row more than a page is read, to know whether there is another page. */
export const PAGE_AND_ONE = PAGE + 1;

/** The page of these rows, of which one more than a page was read. */
export function pageOf<Read extends { key: string }, Row>(read: Read[], row: (read: Read) => Row): Page<Row> {
  const page = read.slice(0, PAGE);
  return { rows: page.map(row), next: read.length > PAGE ? (page.at(-1)?.key ?? null) : null };
}
