import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveEvent } from '#contract/live.ts';
import { rpc } from '../api/rpc.ts';
import { connectLive } from './live.ts';

/** A fake EventSource; the test acts as the server. */
class Stream extends EventTarget {
  static opened: Stream[] = [];
  onmessage: (event: { data: string }) => void = () => {};
  onerror = () => {};
  closed = false;
  constructor() {
    super();
    Stream.opened.push(this);
  }
  close() {
    this.closed = true;
  }
  sync(changedAt: Record<string, number> = {}) {
    const data = JSON.stringify({ serverTime: new Date().toISOString(), changedAt });
    this.dispatchEvent(Object.assign(new Event('sync'), { data }));
  }
  say(event: LiveEvent) {
    this.onmessage({ data: JSON.stringify(event) });
  }
}
class Channel extends EventTarget {
  onmessage: unknown = null;
  postMessage() {}
  close() {}
}

let queries: QueryClient;
let stop = () => {};
/** Runs pending promises without advancing the time. */
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(async () => {
  vi.useFakeTimers();
  Stream.opened = [];
  vi.stubGlobal('EventSource', Stream);
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page));
  queries = new QueryClient();
  stop = connectLive(queries);
  await settle();
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const stale = (key: readonly unknown[]) => queries.getQueryState(key)?.isInvalidated;

describe('the live stream', () => {
  it.each([
    ['projects', [rpc.projects.podium.key(), rpc.projects.list.key(), rpc.tokens.find.key()]],
    ['nextProjects', [rpc.nextProjects.list.key(), rpc.tokens.find.key()]],
    ['presence', [rpc.presence.online.key()]],
    [
      'tokenRequests',
      [
        rpc.tokenRequests.check.key(),
        rpc.tokenRequests.order.key(),
        rpc.tokenRequests.mine.key(),
        rpc.admin.tokenRequests.list.key(),
        rpc.admin.inbox.list.key(),
        rpc.admin.dashboard.counts.key(),
        rpc.admin.money.list.key(),
        rpc.admin.income.list.key(),
        rpc.admin.launchIncome.list.key(),
      ],
    ],
    // A sent refund changes this domain.
    [
      'deliverables',
      [
        rpc.admin.refunds.list.key(),
        rpc.admin.money.list.key(),
        rpc.admin.income.list.key(),
        rpc.admin.launchIncome.list.key(),
      ],
    ],
    ['voting', [rpc.admin.voteReview.list.key(), rpc.admin.clusterVotes.list.key()]],
    ['news', [rpc.news.list.key()]],
  ] as const)(
    'a change of %s invalidates the queries that show it once, a second later, and no others [RT-01..03] [TIME-07] [AMB-144] [AMB-166]',
    async (domain, shown) => {
      const other = rpc.saved.list.key();
      for (const key of [...shown, other]) queries.setQueryData(key, []);
      Stream.opened[0]?.sync();
      Stream.opened[0]?.say({ type: 'domain.changed', domain });
      await vi.advanceTimersByTimeAsync(600);
      Stream.opened[0]?.say({ type: 'domain.changed', domain });
      await vi.advanceTimersByTimeAsync(399);
      expect(shown.map(stale)).toEqual(shown.map(() => false));
      await vi.advanceTimersByTimeAsync(1);
      expect(shown.map(stale)).toEqual(shown.map(() => true));
      // The second change came within the same second.
      for (const key of shown) queries.setQueryData(key, []);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(shown.map(stale)).toEqual(shown.map(() => false));
      expect(stale(other)).toBe(false);
    },
  );

  it('does not cancel slow answers during further changes, and refetches after the last change', async () => {
    const queryKey = rpc.tokenRequests.order.key();
    const polls: number[] = [];
    const queryFn = async () => {
      polls.push(Date.now());
      await new Promise((done) => setTimeout(done, 2_500));
      return polls.length;
    };
    const end = new QueryObserver(queries, { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY }).subscribe(
      () => {},
    );
    await vi.advanceTimersByTimeAsync(2_500);
    Stream.opened[0]?.sync();
    for (let i = 0; i < 10; i++) {
      Stream.opened[0]?.say({ type: 'domain.changed', domain: 'tokenRequests' });
      await vi.advanceTimersByTimeAsync(1_200);
    }
    const lastChange = Date.now() - 1_200;
    // 12 seconds of changes: the first refetch begins after one second, and each takes 2.5.
    expect(queries.getQueryState(queryKey)?.dataUpdateCount).toBe(1 + 4);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(polls.at(-1)).toBeGreaterThanOrEqual(lastChange);
    const { dataUpdateCount, fetchStatus, isInvalidated } = queries.getQueryState(queryKey) ?? {};
    expect([dataUpdateCount, fetchStatus, isInvalidated]).toEqual([polls.length, 'idle', false]);
    end();
  });

  it('reconnects after 1, 2, 5 and 10 seconds, then every 10, and after 1 again once it was connected [TIME-25]', async () => {
    const waits: number[] = [];
    for (let i = 0; i < 6; i++) {
      const last = Stream.opened.length;
      Stream.opened.at(-1)?.onerror();
      await settle();
      expect(document.documentElement.dataset['live']).toBe('off');
      const began = Date.now();
      while (Stream.opened.length === last) await vi.advanceTimersByTimeAsync(500);
      waits.push(Date.now() - began);
    }
    expect(waits).toEqual([1_000, 2_000, 5_000, 10_000, 10_000, 10_000]);
    Stream.opened.at(-1)?.sync();
    expect(document.documentElement.dataset['live']).toBe('on');
    const last = Stream.opened.length;
    Stream.opened.at(-1)?.onerror();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(Stream.opened).toHaveLength(last + 1);
    expect(Stream.opened.filter(({ closed }) => !closed)).toHaveLength(1);
  });

  it('invalidates what changed since the page was rendered, and everything after a lost connection', async () => {
    const [projects, news] = [rpc.projects.list.key(), rpc.news.list.key()];
    queries.setQueryData(projects, []);
    queries.setQueryData(news, []);
    Stream.opened[0]?.sync({ projects: Date.now() });
    expect([projects, news].map(stale)).toEqual([true, false]);
    Stream.opened[0]?.onerror();
    await vi.advanceTimersByTimeAsync(1_000);
    Stream.opened[1]?.sync();
    expect([projects, news].map(stale)).toEqual([true, true]);
  });
});
