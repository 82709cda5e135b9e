import { beforeEach, describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/test-app.ts';

const app = await startTestApp();
const visitor = app.as();

beforeEach(() => app.sql('delete from next_projects'));

describe('upcoming launches', () => {
  it('are the active ones that are published or launched, by place, then the newest', async () => {
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

  it('are new with a market cap of TBD, no progress and no date [DATA-15] [DATA-20..22]', async () => {
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
        'launchDate',
        'marketCap',
        'orderIndex',
        'progressPercentage',
        'status',
        'tokenName',
        'tokenSymbol',
      ].sort(),
    );
  });

  it('come in pages that hold each once', async () => {
    for (let i = 0; i < 25; i++) await app.nextProject({ order_index: i % 3, created_at: '2026-01-01' });
    const ids: string[] = [];
    for (let offset = 0; offset < 25; offset += 10)
      ids.push(...(await visitor.nextProjects.list({ offset, limit: 10 })).items.map((item) => item.id));
    expect(new Set(ids).size).toBe(25);
    expect((await visitor.nextProjects.list({ offset: 25 })).items).toEqual([]);
  });

  it('refuse pages out of range', async () => {
    for (const input of [{ offset: -1 }, { limit: 0 }, { limit: 101 }, { offset: 100_001 }])
      await expect(visitor.nextProjects.list(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
