import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkQueries } from '../scripts/check-queries.ts';
import { readCode } from '../scripts/check-sizes.ts';

const wrong = (file: string, text: string) => checkQueries([{ path: file, text }]);
const NEWS = 'server/domains/news/news.service.ts';

describe('the check of queries', () => {
  it('finds no violation in this project', () => {
    expect(checkQueries(readCode(path.resolve(import.meta.dirname, '..')))).toEqual([]);
  });

  it.each([
    ['a statement of the query layer', 'await db.execute<{ id: string }>(sql`select id from news`);'],
    ['a statement over several lines', 'await db\n  .execute<Row>(\n    sql`select 1`,\n  );'],
    ['a statement of the driver', "await pool.query<{ n: number }>('select 1 as n');"],
    ['an expression', 'db.select({ n: sql<number>`count(*)` }).from(news);'],
  ])('reports %s', (_what, text) => {
    expect(wrong(NEWS, text)).toEqual([expect.stringContaining(NEWS)]);
  });

  it.each([
    ['a query of the builder', 'await db.select({ id: news.id }).from(news);'],
    ['an expression with a decoder', 'sql`count(*)`.mapWith(Number);'],
    ['a comment about it', '// never db.execute<Row>(…)\n/* nor pool.query<Row>() */'],
  ])('does not report %s', (_what, text) => {
    expect(wrong(NEWS, text)).toEqual([]);
  });

  it('reports a hand-written statement outside of a *.sql.ts file, whether it returns rows or not', () => {
    expect(wrong(NEWS, 'await db\n  .execute(sql`delete from news`);')).toEqual([
      expect.stringContaining(`${NEWS}:2:`),
    ]);
    expect(wrong(NEWS, 'await db.select().from(news).execute();')).toEqual([]);
  });

  it('reports an exception that is no longer needed', () => {
    expect(wrong('server/records/trash.ts', 'await db.delete(news);')).toEqual([
      expect.stringContaining('no longer needs an exception'),
    ]);
  });

  it('does not report tests', () => {
    expect(wrong('server/domains/news/news.test.ts', 'await db.execute<Row>(sql``);')).toEqual([]);
  });

  it('names the file and line of each violation', () => {
    const text = 'await db.execute<Row>(sql``);\nawait db.execute<Row>(sql``);';
    expect(wrong(NEWS, text)).toEqual([expect.stringContaining(`${NEWS}:1:`), expect.stringContaining(`${NEWS}:2:`)]);
  });

  it('allows a described statement only in a *.sql.ts file', () => {
    const text = "import { statement } from '#server/db/statement.ts';";
    expect(wrong(NEWS, text)).not.toEqual([]);
    expect(wrong('server/domains/news/news.sql.ts', text)).toEqual([]);
  });
});
