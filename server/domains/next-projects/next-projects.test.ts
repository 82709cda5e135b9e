import { beforeEach, describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const visitor = app.as();

beforeEach(() => app.sql('delete from next_projects'));

describe('upcoming launches', () => {
  it('are the active ones that are published or launched, by place, then the newest [NEXT-15..17] [NEXT-20]', async () => {
    const add = (token_name: string, over: Record<string, unknown> = {}) => app.nextProject({ token_name, ...over });
    await add('third', { order_index: 2, created_at: '2026-01-01' });
    await add('second', { order_index: 2, created_at: '2026-02-02', status: 'launched' });
    await add('first', { order_index: 1 });
    await add('pending', { status: 'pending' });
    await add('inactive', { is_active: false });
    await add('trashed', { deleted_at: new Date() });
    const page = await visitor.nextProjects.list({});
    expect(page.items.map((item) => item.tokenName)).toEqual(['first', 'second', 'third']);
    expect(page.total).toBe(3);
    expect(page.serverTime).toBe(app.now.toISOString());
  });

  it('have a market cap of TBD, no progress and no date by default [DATA-15] [DATA-20..22] [AMB-30]', async () => {
    await app.nextProject({ admin_notes: 'SECRET-NOTE' });
    const [item] = (await visitor.nextProjects.list({})).items;
    expect(item).toMatchObject({
      marketCap: 'TBD',
      progressPercentage: 0,
      launchDate: null,
      countdownEnd: null,
      isActive: true,
      isVotingWinner: false,
    });
    expect(Object.keys(item ?? {}).sort()).toEqual(
      [
        'countdownEnd',
        'createdAt',
        'description',
        'id',
        'imageUrl',
        'isActive',
        'isVotingWinner',
        'verified',
        'launchDate',
        'marketCap',
        'marketCapFrom',
        'orderIndex',
        'progressPercentage',
        'proof',
        'status',
        'tokenName',
        'tokenSymbol',
      ].sort(),
    );
  });

  it('come in pages of 12 by default, and of 13 where one alone would remain', async () => {
    for (let i = 0; i < 13; i++) await app.nextProject();
    expect((await visitor.nextProjects.list({})).items).toHaveLength(13);
    expect((await visitor.nextProjects.list({ limit: 12 })).items).toHaveLength(12);
    await app.nextProject();
    expect((await visitor.nextProjects.list({})).items).toHaveLength(12);
  });

  it('come in pages that contain each once', async () => {
    for (let i = 0; i < 25; i++) await app.nextProject({ order_index: i % 3, created_at: '2026-01-01' });
    const ids: string[] = [];
    for (let offset = 0; offset < 25; offset += 10)
      ids.push(...(await visitor.nextProjects.list({ offset, limit: 10 })).items.map((item) => item.id));
    expect(new Set(ids).size).toBe(25);
    expect((await visitor.nextProjects.list({ offset: 25 })).items).toEqual([]);
  });

  it('come in pages of eight, which fill the grid [NEXT-07]', async () => {
    for (let i = 0; i < 9; i++) await app.nextProject({ order_index: i });
    const pages = await Promise.all([0, 8].map((offset) => visitor.nextProjects.list({ offset, limit: 8 })));
    expect(pages.map((page) => page.items.length)).toEqual([8, 1]);
    expect(pages.map((page) => page.total)).toEqual([9, 9]);
  });

  it('with a time are listed for calendars, soonest first, by the countdown before the date [AMB-102]', async () => {
    const at = (iso: string) => ({ launch_date: iso });
    const later = await app.nextProject({ ...at('2026-01-01T00:00:00Z'), countdown_end: '2026-09-01T00:00:00Z' });
    const sooner = await app.nextProject({ ...at('2026-05-01T00:00:00Z'), status: 'launched' });
    await app.nextProject({ token_name: 'undated' });
    await app.nextProject({ ...at('2026-05-01T00:00:00Z'), status: 'pending' });
    await app.nextProject({ ...at('2026-05-01T00:00:00Z'), is_active: false });
    await app.nextProject({ ...at('2026-05-01T00:00:00Z'), deleted_at: new Date() });
    expect((await visitor.nextProjects.launches()).map(({ id, startsAt }) => [id, startsAt])).toEqual([
      [sooner.id, '2026-05-01T00:00:00.000Z'],
      [later.id, '2026-09-01T00:00:00.000Z'],
    ]);
  });

  it('are read through an index where there are ten thousand', async () => {
    // In batches: triggers run per row, and a statement has a timeout of ten seconds, also on a busy machine.
    for (let first = 1; first <= 10_000; first += 1_000)
      await app.sql(
        `insert into next_projects (token_name, token_symbol, order_index, launch_date)
         select 'n' || i, 'N', i % 50, '2026-05-01'::timestamptz + i * interval '1 hour'
         from generate_series($1::int, $1::int + 999) i`,
        [first],
      );
    await app.sql('analyze next_projects');
    const plan = await app.sql<{ 'QUERY PLAN': string }>(`explain select id from next_projects
      where is_active and status in ('published', 'launched') and deleted_at is null
      order by order_index, created_at desc, id limit 8 offset 400`);
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('next_projects_public');
    expect((await visitor.nextProjects.list({ offset: 400, limit: 8 })).total).toBe(10_000);
    expect(await visitor.nextProjects.launches()).toHaveLength(1_000);
  });

  it('refuse pages out of range', async () => {
    for (const input of [{ offset: -1 }, { limit: 0 }, { limit: 101 }, { offset: 100_001 }])
      await expect(visitor.nextProjects.list(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
