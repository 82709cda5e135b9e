import { createRouterClient } from '@orpc/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PUBLIC_READ_TTL_MS } from '#server/http/api/public-reads.ts';
import { router } from '#server/router.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { openReadCache, ReadCache, withReadCache } from './read-cache.ts';

const app = await startTestApp();
const visitorApi = () =>
  createRouterClient(router, { context: () => app.services.contextOf(new Headers(), new Headers(), 'visitor') });

afterEach(() => void vi.useRealTimers());

describe('the cache of public reads', () => {
  it('reads once for concurrent callers, and reads again after a change of its domain alone', async () => {
    const cache = new ReadCache();
    const make = vi.fn(async () => ({ items: [] }));
    const [first, second] = await Promise.all([cache.read('a', ['voting'], make), cache.read('a', ['voting'], make)]);
    expect(second).toBe(first);
    cache.drop('news');
    expect(await cache.read('a', ['voting'], make)).toBe(first);
    cache.drop('voting');
    expect(await cache.read('a', ['voting'], make)).not.toBe(first);
    cache.clear();
    await cache.read('a', ['voting'], make);
    expect(make).toHaveBeenCalledTimes(3);
  });

  it('does not store reads that began before a change, or that failed', async () => {
    const cache = new ReadCache();
    const { promise, resolve } = Promise.withResolvers<object>();
    const before = cache.read('a', ['voting'], () => promise);
    cache.drop('voting');
    resolve({ votes: 1 });
    expect(await before).toEqual({ votes: 1 });
    expect(await cache.read('a', ['voting'], async () => ({ votes: 2 }))).toEqual({ votes: 2 });

    await expect(cache.read('b', [], () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.read('b', [], async () => ({ there: true }))).toEqual({ there: true });
  });

  it('stores results for as long as public reads over HTTP, and freezes them', async () => {
    vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
    const cache = new ReadCache();
    const make = vi.fn(async () => ({ items: [{ name: 'Luna' }] }));
    const answer = (await cache.read('a', [], make)) as { items: { name: string }[] };
    expect(() => answer.items.push({ name: 'Sol' })).toThrow(TypeError);
    vi.setSystemTime(1_000_000 + PUBLIC_READ_TTL_MS);
    expect(await cache.read('a', [], make)).toBe(answer);
    expect(cache.readAt(answer)).toBe(1_000_000);
    vi.setSystemTime(1_000_001 + PUBLIC_READ_TTL_MS);
    expect(await cache.read('a', [], make)).not.toBe(answer);
  });

  it('drops results when a change is received, before the next read', async () => {
    const cache = openReadCache(app.services);
    const { id } = await app.candidate();
    const votesOf = async () => {
      const { items } = await withReadCache(visitorApi(), cache).voting.ranking({ limit: 100 });
      return items.find((one) => one.id === id)?.totalVotes;
    };
    await expect.poll(votesOf).toBe(0);
    const answers: unknown[] = [];
    const received = new Promise<void>((resolve) => {
      const stop = app.services.hub.onEvent((event) => {
        if (event.type !== 'votes.changed') return;
        stop();
        void votesOf().then((votes) => {
          answers.push(votes);
          resolve();
        });
      });
    });
    const person = await app.member();
    await app.as(person).voting.cast({ candidateId: id });
    await received;
    expect(answers).toEqual([1]);
  });
});

describe('the API with its public reads cached', () => {
  it('caches the reads that are cached over HTTP, by their input, and no others', async () => {
    const cache = new ReadCache();
    const read = vi.spyOn(cache, 'read');
    const api = withReadCache(visitorApi(), cache);
    await api.projects.podium();
    await api.projects.list({ order: 'new', cursor: null });
    await api.voting.ranking({ limit: 2 });
    await api.tokens.find({ slug: 'no-such-token' }).catch(() => {});
    await api.news.list({ q: 'luna' });
    await api.forum.posts({ q: 'luna' });
    await api.settings.notices();
    await api.voting.mine().catch(() => {});
    expect(read.mock.calls.map(([key, tags]) => [key, [...tags]])).toEqual([
      ['/api/projects/podium', ['projects', 'market']],
      ['/api/projects?order=new', ['projects', 'market']],
      ['/api/candidates?limit=2', ['voting']],
      ['/api/tokens/no-such-token', ['projects', 'voting', 'nextProjects', 'market', 'tokenRequests']],
    ]);
  });

  it('returns the errors of the API, also for repeated reads', async () => {
    const api = withReadCache(visitorApi(), new ReadCache());
    for (let time = 0; time < 2; time++)
      await expect(api.tokens.find({ slug: 'no-such-token' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
