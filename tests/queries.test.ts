import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkQueries } from '../scripts/check-queries.ts';
import { readCode } from '../scripts/check-sizes.ts';

const wrong = (file: string, text: string) => checkQueries([{ path: file, text }]);
const NEWS = 'server/domains/news/news.service.ts';

describe('rows whose type is only claimed', () => {
  it('are none', () => {
    expect(checkQueries(readCode(path.resolve(import.meta.dirname, '..')))).toEqual([]);
  });

  it.each([
    ['a statement of the query layer', 'await db.execute<{ id: string }>(sql`select id from news`);'],
    ['one over several lines', 'await db\n  .execute<Row>(\n    sql`select 1`,\n  );'],
    ['one of the driver', "await pool.query<{ n: number }>('select 1 as n');"],
    ['an expression', 'db.select({ n: sql<number>`count(*)` }).from(news);'],
  ])('are found: %s', (_what, text) => {
    expect(wrong(NEWS, text)).toEqual([expect.stringContaining(NEWS)]);
  });

  it.each([
    ['a query of the builder', 'await db.select({ id: news.id }).from(news);'],
    ['an expression with a decoder', 'sql`count(*)`.mapWith(Number);'],
    ['words about it', '// never db.execute<Row>(…)\n/* nor pool.query<Row>() */'],
  ])('are not: %s', (_what, text) => {
    expect(wrong(NEWS, text)).toEqual([]);
  });

  it('a hand-written statement outside of a *.sql.ts is found, with or without rows', () => {
    expect(wrong(NEWS, 'await db\n  .execute(sql`delete from news`);')).toEqual([
      expect.stringContaining(`${NEWS}:2:`),
    ]);
    expect(wrong(NEWS, 'await db.select().from(news).execute();')).toEqual([]);
  });

  it('an exception without such a statement is found', () => {
    expect(wrong('server/records/trash.ts', 'await db.delete(news);')).toEqual([
      expect.stringContaining('no longer needs an exception'),
    ]);
  });

  it('are not counted in tests', () => {
    expect(wrong('server/domains/news/news.test.ts', 'await db.execute<Row>(sql``);')).toEqual([]);
  });

  it('are each named by file and line', () => {
    const text = 'await db.execute<Row>(sql``);\nawait db.execute<Row>(sql``);';
    expect(wrong(NEWS, text)).toEqual([expect.stringContaining(`${NEWS}:1:`), expect.stringContaining(`${NEWS}:2:`)]);
  });

  it('a described statement has its own kind of file', () => {
    const text = "import { statement } from '#server/db/statement.ts';";
    expect(wrong(NEWS, text)).not.toEqual([]);
    expect(wrong('server/domains/news/news.sql.ts', text)).toEqual([]);
  });
});
