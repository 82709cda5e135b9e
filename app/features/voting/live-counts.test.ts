import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { rpc } from '#app/lib/api/rpc.ts';
import type { ExploredToken } from '#contract/domains/tokens.ts';
import type { Candidate, Ranking } from '#contract/domains/voting.ts';
import type { LiveEvent } from '#contract/live.ts';
import { applyTally, type ExploredList, syncCounts } from './live-counts.ts';
import { rankingQuery } from './ranking.queries.ts';

const live = vi.hoisted(() => ({ listeners: new Set<(event: LiveEvent) => void>() }));
vi.mock('#app/lib/live/live.ts', () => ({
  onLiveEvent: (listener: (event: LiveEvent) => void) => {
    live.listeners.add(listener);
    return () => live.listeners.delete(listener);
  },
}));

const candidate = (id: string, totalVotes: number, reachedAt: string | null, orderIndex = 0): Candidate => ({
  id,
  tokenName: id,
  tokenSymbol: id,
  tokenSlug: id,
  description: null,
  imageUrl: null,
  orderIndex,
  createdAt: '2026-01-01T00:00:00.000Z',
  totalVotes,
  votesToday: 0,
  verified: [],
  trend: [0],
  reachedAt,
});

it('live counts keep the order of the server: of two equal totals the one reached earlier is first [AMB-211]', () => {
  const queries = new QueryClient();
  const { queryKey } = rankingQuery();
  const items = [candidate('a', 5, '2026-02-01T10:00:00.000002Z', 9), candidate('b', 4, '2026-02-01T09:00:00.000000Z')];
  queries.setQueryData(queryKey, {
    items,
    total: 2,
    round: null,
    lastRound: null,
    confirmedOnly: false,
    serverTime: '2026-02-01T12:00:00.000Z',
  });
  const order = () => queries.getQueryData(queryKey)?.items.map(({ id }) => id);
  const tally = { candidateId: 'b', totalVotes: 5, votesToday: 1 };
  applyTally(queries, { ...tally, reachedAt: '2026-02-01T10:00:00.000003Z' });
  expect(order()).toEqual(['a', 'b']);
  applyTally(queries, { ...tally, reachedAt: '2026-02-01T10:00:00.000001Z' });
  expect(order()).toEqual(['b', 'a']);
  applyTally(queries, { candidateId: 'a', totalVotes: 5, votesToday: 0, reachedAt: null });
  expect(order()).toEqual(['a', 'b']);
});

it('live counts update the loaded pages of filtered lists, without changing their order', () => {
  const queries = new QueryClient();
  const queryKey = [...rpc.tokens.explore.key(), { type: 'infinite' }];
  const token = (id: string, totalVotes: number) => ({ id, totalVotes, votesToday: 0 }) as ExploredToken;
  queries.setQueryData(queryKey, {
    pages: [
      { items: [token('a', 5)], nextCursor: 'x' },
      { items: [token('b', 4)], nextCursor: null },
    ],
    pageParams: [null, 'x'],
  });
  applyTally(queries, { candidateId: 'b', totalVotes: 9, votesToday: 5, reachedAt: null });
  const shown = queries.getQueryData<ExploredList>(queryKey)?.pages.flatMap(({ items }) => items);
  expect(shown).toEqual([token('a', 5), { ...token('b', 9), votesToday: 5 }]);
});

it('live counts that arrive during a fetch are applied to its older answer', async () => {
  const queries = new QueryClient();
  const { queryKey } = rankingQuery();
  const shown = () => queries.getQueryData<Ranking>(queryKey)?.items.map(({ totalVotes }) => totalVotes);
  const emit = (totalVotes: number) => {
    const tallies = [{ candidateId: 'a', totalVotes, votesToday: 1, reachedAt: null }];
    for (const listener of live.listeners) listener({ type: 'votes.changed', tallies });
  };
  const stop = syncCounts(queries);
  const answer = Promise.withResolvers<Ranking>();
  const fetched = queries.fetchQuery({ queryKey, queryFn: () => answer.promise });
  emit(591);
  answer.resolve({ items: [candidate('a', 590, null)] } as Partial<Ranking> as Ranking);
  await fetched;
  expect(shown()).toEqual([591]);

  // The answer to a later request is newer than the event.
  await queries.fetchQuery({ queryKey, queryFn: async () => ({ items: [candidate('a', 593, null)] }) });
  expect(shown()).toEqual([593]);
  stop();
  emit(594);
  expect([shown(), live.listeners.size]).toEqual([[593], 0]);
});
