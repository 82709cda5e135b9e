import { createRouterClient } from '@orpc/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { router } from '#server/router.ts';
import { startTestApp } from '#tests/support/test-app.ts';
import { KeptReads, openKeptReads, withKeptReads } from './kept-reads.ts';
import { PUBLIC_READ_KEPT_MS } from './public-reads.ts';

const app = await startTestApp();
const visitorApi = () =>
  createRouterClient(router, { context: () => app.services.contextOf(new Headers(), new Headers(), 'visitor') });

afterEach(() => void vi.useRealTimers());

describe('reads that are kept', () => {
  it('are shared by all who ask, and read again after a change of their domain alone', async () => {
    const kept = new KeptReads();
    const make = vi.fn(async () => ({ items: [] }));
    const [first, second] = await Promise.all([kept.read('a', ['voting'], make), kept.read('a', ['voting'], make)]);
    expect(second).toBe(first);
    kept.drop('news');
    expect(await kept.read('a', ['voting'], make)).toBe(first);
    kept.drop('voting');
    expect(await kept.read('a', ['voting'], make)).not.toBe(first);
    kept.clear();
    await kept.read('a', ['voting'], make);
    expect(make).toHaveBeenCalledTimes(3);
  });

  it('are not kept when they began before a change, nor when they fail', async () => {
    const kept = new KeptReads();
    const { promise, resolve } = Promise.withResolvers<object>();
    const before = kept.read('a', ['voting'], () => promise);
    kept.drop('voting');
    resolve({ votes: 1 });
    expect(await before).toEqual({ votes: 1 });
    expect(await kept.read('a', ['voting'], async () => ({ votes: 2 }))).toEqual({ votes: 2 });

    await expect(kept.read('b', [], () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await kept.read('b', [], async () => ({ there: true }))).toEqual({ there: true });
  });

  it('live for as long as public reads, and cannot be changed by who holds them', async () => {
    vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
    const kept = new KeptReads();
    const make = vi.fn(async () => ({ items: [{ name: 'Luna' }] }));
    const answer = (await kept.read('a', [], make)) as { items: { name: string }[] };
    expect(() => answer.items.push({ name: 'Sol' })).toThrow(TypeError);
    vi.setSystemTime(1_000_000 + PUBLIC_READ_KEPT_MS);
    expect(await kept.read('a', [], make)).toBe(answer);
    expect(kept.readAt(answer)).toBe(1_000_000);
    vi.setSystemTime(1_000_001 + PUBLIC_READ_KEPT_MS);
    expect(await kept.read('a', [], make)).not.toBe(answer);
  });

  it('are forgotten when a change is heard, before anybody can ask again', async () => {
    const kept = openKeptReads(app.services);
    const { id } = await app.candidate();
    const votesOf = async () => {
      const { items } = await withKeptReads(visitorApi(), kept).voting.ranking({ limit: 100 });
      return items.find((one) => one.id === id)?.totalVotes;
    };
    await expect.poll(votesOf).toBe(0);
    const answers: unknown[] = [];
    const heard = new Promise<void>((resolve) => {
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
    await heard;
    expect(answers).toEqual([1]);
  });
});

describe('the API with its public reads kept', () => {
  it('keeps the reads that are kept over HTTP, by what they are asked, and no others', async () => {
    const kept = new KeptReads();
    const read = vi.spyOn(kept, 'read');
    const api = withKeptReads(visitorApi(), kept);
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

  it('refuses what the API refuses, also when it was asked for already', async () => {
    const api = withKeptReads(visitorApi(), new KeptReads());
    for (let time = 0; time < 2; time++)
      await expect(api.tokens.find({ slug: 'no-such-token' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
