import { beforeEach, describe, expect, it } from 'vitest';
import type { ProjectOrder } from '#contract/domains/projects.ts';
import { type Api, startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const visitor = app.as();

beforeEach(() => app.sql('delete from projects'));

const namesOf = (page: { items: { tokenName: string }[] }) => page.items.map((item) => item.tokenName);

/** All pages, sequentially; `between` runs after each. */
async function readAll(
  input: { order: ProjectOrder; limit: number },
  between: (page: number) => unknown = () => {},
  api: Api = visitor,
) {
  const ids: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < 1_000; page++) {
    const answer = await api.projects.list({ ...input, cursor });
    ids.push(...answer.items.map((item) => item.id));
    cursor = answer.nextCursor;
    if (cursor === null) return ids;
    await between(page);
  }
  throw new Error('no end');
}

/** Many rows, many of them equal in position and age. */
async function manyProjects(count: number): Promise<string[]> {
  await app.sql(
    `insert into projects (token_name, token_symbol, token_slug, token_address, status, order_index, created_at)
     select 'P' || n, 'P', 'p-' || n, 'address-number-' || n, 'approved',
            case when n % 3 = 0 then 999 else 10 + n % 5 end,
            timestamptz '2026-01-01' + make_interval(secs => (n % 7) * 0.000001)
     from generate_series(1, $1::int) n`,
    [count],
  );
  const rows = await app.sql<{ id: string }>('select id from projects order by order_index, created_at desc, id');
  return rows.map((row) => row.id);
}

describe('the list of projects', () => {
  it('shows what is published on home or approved, nothing else [HOME-29] [HOME-31]', async () => {
    for (const status of ['pending', 'approved', 'rejected', 'published_home', 'published_next'])
      await app.project({ token_name: status, status });
    await app.project({ token_name: 'trashed', deleted_at: new Date() });
    const page = await visitor.projects.list({});
    expect(namesOf(page).sort()).toEqual(['approved', 'published_home']);
    expect(page.total).toBe(2);
  });

  it('is ordered by place, then the newest; "new" by age alone [HOME-30] [AMB-71]', async () => {
    const add = (token_name: string, order_index: number, created_at: string) =>
      app.project({ token_name, order_index, created_at });
    await add('c', 20, '2026-03-03');
    await add('b', 10, '2026-01-01');
    await add('a', 10, '2026-02-02');
    await add('z', 0, '2025-01-01');
    expect(namesOf(await visitor.projects.list({}))).toEqual(['z', 'a', 'b', 'c']);
    expect(namesOf(await visitor.projects.list({ order: 'new' }))).toEqual(['c', 'a', 'b', 'z']);
  });

  it('contains the podium too [AMB-96]', async () => {
    await app.project({ token_name: 'king', status: 'published_home', order_index: 1 });
    await app.project({ token_name: 'other' });
    expect(namesOf(await visitor.projects.list({}))).toEqual(['king', 'other']);
  });

  it('of "others" leaves out the podium, and nothing else [HOME-06] [HOME-30]', async () => {
    const add = (token_name: string, order_index: number, status = 'published_home') =>
      app.project({ token_name, order_index, status });
    await add('first', 1);
    await add('third', 3);
    await add('zero', 0);
    await add('fourth', 4);
    await add('approved', 50, 'approved');
    const page = await visitor.projects.list({ order: 'others' });
    expect([namesOf(page), page.total]).toEqual([['zero', 'fourth', 'approved'], 3]);
    const { items, nextCursor } = await visitor.projects.list({ order: 'others', limit: 1 });
    const behind = await visitor.projects.list({ order: 'others', cursor: nextCursor });
    expect([namesOf({ items }), namesOf(behind), behind.total]).toEqual([['zero'], ['fourth', 'approved'], 3]);
    const podium = await visitor.projects.podium();
    const all = await visitor.projects.list({});
    expect(all.total).toBe(podium.length + page.total);
  });

  it('has a market cap of $0 and no progress by default [HOME-11] [HOME-22..23] [DATA-04] [AMB-93..94]', async () => {
    await app.project();
    expect((await visitor.projects.list({})).items[0]).toMatchObject({ marketCap: '$0', progressPercentage: 0 });
  });

  it('has a progress between 0 and 100, enforced by the database [HOME-24] [DATA-06]', async () => {
    await expect(app.project({ progress_percentage: 101 })).rejects.toThrow(/check constraint/);
    await expect(app.project({ progress_percentage: -1 })).rejects.toThrow(/check constraint/);
  });

  it('returns exactly the fields that a card shows [AMB-30]', async () => {
    await app.project({ admin_notes: 'SECRET-NOTE', contract_address: 'SECRET-CONTRACT', order_index: 5 });
    const page = await visitor.projects.list({});
    expect(JSON.stringify(page)).not.toMatch(/SECRET/);
    expect(Object.keys(page.items[0] ?? {}).sort()).toEqual(
      [
        'change7d',
        'createdAt',
        'description',
        'id',
        'imageUrl',
        'marketCap',
        'marketCapFrom',
        'orderIndex',
        'progressPercentage',
        'sold',
        'status',
        'tokenName',
        'tokenSlug',
        'tokenSymbol',
        'verified',
      ].sort(),
    );
  });

  it('is empty without an error [HOME-27]', async () => {
    expect(await visitor.projects.list({})).toEqual({ items: [], nextCursor: null, total: 0 });
    expect(await visitor.projects.podium()).toEqual([]);
  });
});

describe('the change over seven days', () => {
  const DAY = 86_400_000;
  const TOKEN = 'So11111111111111111111111111111111111111112';
  const record = (daysAgo: number, price: number) =>
    app.sql(`insert into market_prices (network, address, at, price) values ('solana', $1, $2, $3)`, [
      TOKEN,
      new Date(app.now.getTime() - daysAgo * DAY),
      price,
    ]);
  const changeOf = async () => (await visitor.projects.list({})).items[0]?.change7d;
  beforeEach(async () => {
    await app.sql('truncate market_prices');
    await app.project({ network: 'solana', token_address: TOKEN, contract_address: TOKEN });
  });

  it('compares the newest recorded price with the one of seven days ago', async () => {
    await record(8.5, 100);
    await record(7.2, 2);
    await record(3, 50);
    await record(0.1, 2.5);
    expect(await changeOf()).toBeCloseTo(0.25);
  });

  it.each([
    ['no price is recorded', []],
    [
      'no price is seven days old',
      [
        [6.5, 2],
        [0.1, 3],
      ],
    ],
    [
      'the price of seven days ago is too old',
      [
        [8.5, 2],
        [0.1, 3],
      ],
    ],
    [
      'the newest price is older than a day',
      [
        [7.5, 2],
        [1.2, 3],
      ],
    ],
  ] as const)('is unknown when %s', async (_name, prices) => {
    for (const [daysAgo, price] of prices) await record(daysAgo, price);
    expect(await changeOf()).toBeNull();
  });
});

describe('pages of projects', () => {
  it.each([
    [12, [12]],
    [13, [13]],
    [14, [12, 2]],
    [24, [12, 12]],
    [25, [12, 13]],
  ])('of %i rows hold %j by default: the last page never has a single row', async (rows, expected) => {
    await manyProjects(rows);
    for (const order of ['all', 'others', 'new'] as const) {
      const sizes: number[] = [];
      let cursor: string | null = null;
      do {
        const answer: Awaited<ReturnType<typeof visitor.projects.list>> = await visitor.projects.list({
          order,
          cursor,
        });
        sizes.push(answer.items.length);
        cursor = answer.nextCursor;
      } while (cursor);
      expect(sizes).toEqual(expected);
    }
    expect((await visitor.projects.list({ limit: 12 })).items).toHaveLength(12);
  });

  it.each([
    ['all', 1],
    ['all', 7],
    ['all', 24],
    ['all', 100],
    ['others', 7],
    ['new', 7],
    ['new', 100],
  ] as const)('of "%s", %i at a time, contain each of 137 rows once, in order', async (order, limit) => {
    const expected = await manyProjects(137);
    const ids = await readAll({ order, limit });
    expect(new Set(ids).size).toBe(137);
    if (order !== 'new') expect(ids).toEqual(expected);
    else
      expect(ids).toEqual(
        (await app.sql<{ id: string }>('select id from projects order by created_at desc, id')).map((row) => row.id),
      );
  });

  it.each(['all', 'others', 'new'] as const)(
    'of "%s" neither lose nor repeat rows while rows are added and deleted',
    async (order) => {
      const expected = await manyProjects(120);
      const gone = new Set<string>();
      const ids = await readAll({ order, limit: 10 }, async (page) => {
        // Before, within and after the pages already read.
        await app.project({ order_index: 0, created_at: '2030-01-01' });
        await app.project({ order_index: 12, created_at: '2026-01-01' });
        await app.project({ order_index: 5_000, created_at: '2020-01-01' });
        const victim = expected[page * 10 + 55];
        if (victim && !gone.has(victim)) {
          gone.add(victim);
          await app.sql('update projects set deleted_at = now() where id = $1', [victim]);
        }
      });
      expect(new Set(ids).size).toBe(ids.length);
      expect(expected.filter((id) => !ids.includes(id) && !gone.has(id))).toEqual([]);
    },
  );

  it('have the total number of rows', async () => {
    await manyProjects(30);
    const page = await visitor.projects.list({});
    expect(page.items).toHaveLength(12);
    expect(page.total).toBe(30);
  });

  it('have 100 rows at most', async () => {
    for (const limit of [0, -1, 101, 1.5, Number.NaN])
      await expect(visitor.projects.list({ limit })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const ID = '11111111-1111-4111-8111-111111111111';
  it.each([
    ['not base64', '%%%'],
    ['not JSON', Buffer.from('hello').toString('base64url')],
    ['not a list', cursorOf({ a: 1 })],
    ['too short', cursorOf([1, '2026-01-01 00:00:00+00'])],
    ['a wrong place', cursorOf(['1', '2026-01-01 00:00:00+00', ID])],
    ['a place beyond PostgreSQL', cursorOf([9_007_199_254_740_991, '2026-01-01 00:00:00+00', ID])],
    ['a wrong time', cursorOf([1, 'yesterday night', ID])],
    ['a time that does not exist', cursorOf([1, '2026-13-45 00:00:00+00', ID])],
    ['a wrong id', cursorOf([1, '2026-01-01 00:00:00+00', 'x'])],
    ['SQL', cursorOf([1, "2026-01-01'; drop table projects --", ID])],
  ])('start only at a cursor of ours: %s is 400', async (_name, cursor) => {
    await manyProjects(3);
    for (const order of ['all', 'new']) {
      const response = await app.http(`/api/projects?order=${order}&cursor=${encodeURIComponent(cursor)}`);
      expect(response.status).toBe(400);
      expect(await response.text()).not.toMatch(/select|invalid input|timestamp/);
    }
  });

  it('refuse a cursor that is too long', async () => {
    await expect(visitor.projects.list({ cursor: 'x'.repeat(401) })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('the podium', () => {
  it('has the published projects of places 1 to 3, in order; a free place stays free [HOME-04] [HOME-06..07] [AMB-88]', async () => {
    const add = (token_name: string, order_index: number, status = 'published_home') =>
      app.project({ token_name, order_index, status });
    await add('third', 3);
    await add('first', 1);
    await add('fourth', 4);
    await add('zero', 0);
    await add('no place', 999);
    expect((await visitor.projects.podium()).map((entry) => [entry.orderIndex, entry.tokenName])).toEqual([
      [1, 'first'],
      [3, 'third'],
    ]);
    await app.project({ token_name: 'gone', order_index: 2, status: 'published_home', deleted_at: new Date() });
    expect(await visitor.projects.podium()).toHaveLength(2);
  });

  it.each(['approved', 'pending', 'rejected', 'published_next'])('refuses a project that is %s', async (status) => {
    await expect(app.project({ status, order_index: 2 })).rejects.toThrow(/projects_podium_is_home/);
  });

  it('has one project per place', async () => {
    await app.project({ status: 'published_home', order_index: 2 });
    await expect(app.project({ status: 'published_home', order_index: 2 })).rejects.toThrow(/projects_podium_slot/);
  });
});
