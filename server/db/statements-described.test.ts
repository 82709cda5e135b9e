import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boolean, int4, int8, orNull, type PgType, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { type Described, statement } from '#server/db/statement.ts';
import { JobQueue } from '#server/jobs/queue.ts';
import { useDatabase } from '#tests/support/database/database.ts';
import { describeStatement } from '#tests/support/database/describe-statement.ts';
import { neverNull } from '#tests/support/database/query-tree.ts';

/** Every file of hand-written statements, so that new ones are included. */
const modules = import.meta.glob<Record<string, unknown>>(['../**/*.sql.ts', '/scripts/**/*.sql.ts'], { eager: true });
const statements = Object.entries(modules).flatMap(([file, exported]) =>
  Object.entries(exported).flatMap(([name, value]) => {
    const described = typeof value === 'function' && 'described' in value ? (value.described as Described) : null;
    return described ? [{ name: `${name} of ${file.replace(/^\W+/, '')}`, described }] : [];
  }),
);

/** The text of every such file: a statement that is not exported would be missed. */
const sources = import.meta.glob<string>(['../**/*.sql.ts', '/scripts/**/*.sql.ts'], {
  eager: true,
  query: '?raw',
  import: 'default',
});

describe('hand-written statements', () => {
  const database = useDatabase();
  let client: pg.Client;
  let oids: Map<number, string>;
  beforeAll(async () => {
    // The queue's own tables, which it creates when it starts.
    const queue = new JobQueue(database.pool, () => {});
    await queue.start();
    await queue.stop();
    client = new pg.Client(database.config);
    await client.connect();
    const { rows } = await client.query<{ oid: number; name: string }>(
      'select oid, format_type(oid, null) as name from pg_type',
    );
    oids = new Map(rows.map(({ oid, name }) => [oid, name]));
  });
  afterAll(() => client?.end());

  interface Column {
    name: string;
    type: string | undefined;
  }
  const declared = (types: Described['row']): Column[] =>
    Object.entries(types).map(([name, type]) => ({ name, type: type.name }));

  /** All differences between a declaration and PostgreSQL's description. */
  async function disagreements({ text, parameters, row }: Described): Promise<string[]> {
    const found = await describeStatement(client, text);
    const columns = found.columns.map(({ name, dataTypeID }) => ({ name, type: oids.get(dataTypeID) }));
    const wanted = declared(row);
    const wrong: string[] = [];
    if (JSON.stringify(columns) !== JSON.stringify(wanted))
      wrong.push(`columns are ${JSON.stringify(columns)}, declared ${JSON.stringify(wanted)}`);
    const types = found.parameters.map((oid) => oids.get(oid));
    const declaredTypes = declared(parameters).map(({ type }) => type);
    if (JSON.stringify(types) !== JSON.stringify(declaredTypes))
      wrong.push(`parameters are ${JSON.stringify(types)}, declared ${JSON.stringify(declaredTypes)}`);
    if (wrong.length > 0 || wanted.length === 0) return wrong;
    const proved = await neverNull(client, text, Object.values(parameters));
    Object.entries(row).forEach(([name, { nullable }], i) => {
      if (!nullable && !proved[i]) wrong.push(`${name} may be null`);
    });
    return wrong;
  }

  describe('of all files', () => {
    it('are all checked here', () => {
      const written = Object.values(sources)
        .join('\n')
        .match(/= (statement|command)\(/g);
      expect(statements.length).toBeGreaterThan(0);
      expect(statements).toHaveLength(written?.length ?? 0);
    });

    it.each(statements)('$name has the declared parameters and columns', async ({ described }) => {
      expect(await disagreements(described)).toEqual([]);
    });
  });

  it('are prepared on their connection if they declare a name for it', async () => {
    const definition = {
      parameters: { n: int4 },
      row: { m: int4 },
      text: (at: { n: string }) => `select ${at.n} + 1 as m`,
    };
    const next = statement({ ...definition, prepared: 'next_number' });
    for (const n of [1, 2]) {
      expect(await next(client, { n })).toEqual([{ m: n + 1 }]);
      expect(await statement(definition)(client, { n })).toEqual([{ m: n + 1 }]);
    }
    const { rows } = await client.query('select name from pg_prepared_statements');
    expect(rows).toEqual([{ name: 'next_number' }]);
  });

  describe('whose declaration is wrong are detected:', () => {
    const one = (row: Record<string, PgType<unknown>>, text: string) => disagreements({ parameters: {}, row, text });
    const posts = 'from forum_posts p left join forum_users u on u.id = p.forum_user_id';

    it.each([
      ['another name', { titel: text }, 'select title from forum_posts'],
      ['another type', { id: text }, 'select id from forum_posts'],
      ['a wider number', { n: int4 }, 'select count(*) as n from forum_posts'],
      ['a column too few', { id: uuid }, 'select id, title from forum_posts'],
      ['another order', { title: text, id: uuid }, 'select id, title from forum_posts'],
      ['a column that may be null', { editedAt: timestamptz }, 'select edited_at as "editedAt" from forum_posts'],
      ['nullable side of an outer join', { username: text }, `select u.username ${posts}`],
      ['nullable side in a subquery', { username: text }, `select s.username from (select u.username ${posts}) s`],
      ['nullable side in a CTE', { username: text }, `with s as (select u.username ${posts}) select username from s`],
      ['nullable side in a group', { username: text }, `select u.username ${posts} group by u.username`],
      ['one branch of a union', { title: text }, `select title from forum_posts union select u.username ${posts}`],
      ['a subselect that may find nothing', { title: text }, 'select (select title from forum_posts limit 1) as title'],
      ['a sum over no rows', { n: int8 }, 'select sum(comment_count) as n from forum_posts'],
      [
        'a group of values that may be null',
        { at: timestamptz },
        'select max(edited_at) as at from forum_posts group by title',
      ],
      [
        'a filtered group',
        { at: timestamptz },
        'select max(created_at) filter (where is_hidden) as at from forum_posts group by title',
      ],
      ['a case without else', { title: text }, 'select case when is_hidden then title end as title from forum_posts'],
      [
        'a value in a JSON document',
        { file: text },
        `select v ->> 'file' as file from media, jsonb_array_elements(variants) v`,
      ],
      ['a returned row with a null column', { note: text }, 'update forum_reports set note = null returning note'],
      ['a view', { id: uuid }, 'select id from market_listings'],
    ])('%s', async (_what, row, text) => {
      expect(await one(row, text)).toHaveLength(1);
    });

    it('a parameter that may be null', async () => {
      const declared = statement({
        parameters: { id: orNull(uuid) },
        row: { id: uuid },
        text: (at) => `select ${at.id} as id`,
      });
      expect(await disagreements(declared.described)).toEqual(['id may be null']);
    });

    it.each([
      ['columns of tables', { id: uuid, title: text }, 'select id, title from forum_posts'],
      [
        'columns of the preserved side of an outer join',
        { title: text, username: orNull(text) },
        `select p.title, u.username ${posts}`,
      ],
      ['counts', { n: int8, m: int4 }, 'select count(*) as n, count(edited_at)::int as m from forum_posts'],
      ['defaults', { username: text }, `select coalesce(u.username, '') as username ${posts}`],
      [
        'conditions',
        { seen: boolean },
        'select exists (select 1 from forum_posts) and not is_hidden as seen from forum_posts',
      ],
      ['a count in a subselect', { n: int4 }, 'select (select count(*)::int from forum_posts) as n'],
      ['groups', { at: timestamptz }, 'select max(created_at) as at from forum_posts group by title'],
      ['written rows', { id: uuid }, 'with w as (update forum_posts set title = title returning id) select id from w'],
      ['unions', { title: text }, 'select title from forum_posts union all select content from forum_comments'],
    ])('and none whose declaration is correct: %s', async (_what, row, text) => {
      expect(await one(row, text)).toEqual([]);
    });
  });
});
