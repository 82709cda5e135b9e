import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { onLiveEvent } from '#app/lib/live/live.ts';
import type { ExploredPage, Token } from '#contract/domains/tokens.ts';
import type { Candidate, Ranking, Tally } from '#contract/domains/voting.ts';
import { historyQuery } from './ranking.queries.ts';

/** A filtered list as far as it is loaded. */
export type ExploredList = InfiniteData<ExploredPage>;

/** Best first: total, then who reached it earlier, then age; the same order as the server's (`byVotes`). */
const byRank = (a: Candidate, b: Candidate) =>
  b.totalVotes - a.totalVotes ||
  (a.reachedAt ?? '').localeCompare(b.reachedAt ?? '') ||
  a.createdAt.localeCompare(b.createdAt) ||
  a.id.localeCompare(b.id);

/**
 * Writes absolute counts into every cached query with the candidate. Applying the same counts twice changes nothing.
 *
 * @param climbs whether a candidate below the loaded part of the ranking makes it be fetched again.
 */
export function applyTally(queries: QueryClient, tally: Tally, climbs = true): void {
  const patch = (candidate: Candidate): Candidate =>
    candidate.id === tally.candidateId
      ? {
          ...candidate,
          totalVotes: tally.totalVotes,
          votesToday: tally.votesToday,
          reachedAt: tally.reachedAt,
          trend: [...candidate.trend.slice(0, -1), tally.votesToday],
        }
      : candidate;
  queries.setQueriesData<Ranking>({ queryKey: rpc.voting.ranking.key() }, (old) => {
    if (!old) return old;
    if (old.items.some((candidate) => candidate.id === tally.candidateId))
      return { ...old, items: old.items.map(patch).sort(byRank) };
    // A candidate below the loaded part climbed into it.
    const last = old.items.at(-1);
    if (climbs && last && tally.totalVotes >= last.totalVotes)
      void queries.invalidateQueries({ queryKey: rpc.voting.ranking.key() });
    return old;
  });
  queries.setQueriesData<Token>({ queryKey: rpc.tokens.find.key() }, (old) =>
    old?.id === tally.candidateId ? { ...old, totalVotes: tally.totalVotes, votesToday: tally.votesToday } : old,
  );
  queries.setQueriesData<ExploredList>(
    { queryKey: rpc.tokens.explore.key() },
    (old) =>
      old && {
        ...old,
        pages: old.pages.map((page) => ({
          ...page,
          items: page.items.map((token) =>
            token.id === tally.candidateId
              ? { ...token, totalVotes: tally.totalVotes, votesToday: tally.votesToday }
              : token,
          ),
        })),
      },
  );
  queries.setQueryData(historyQuery(tally.candidateId).queryKey, (old) =>
    old?.map((entry, i) => (i === old.length - 1 ? { ...entry, votes: tally.votesToday } : entry)),
  );
}

/**
 * Keeps counts in sync with the server as votes are published. An answer that was on its way when counts arrived may be older than
 * these, so they are applied again to what it brought.
 *
 * @returns unsubscribes.
 */
export function syncCounts(queries: QueryClient): () => void {
  const meanwhile = new Map<string, Tally>();
  const ends = [
    onLiveEvent((event) => {
      if (event.type !== 'votes.changed') return;
      const isFetching = queries.isFetching() > 0;
      for (const tally of event.tallies) {
        if (isFetching) meanwhile.set(tally.candidateId, tally);
        else meanwhile.delete(tally.candidateId);
        applyTally(queries, tally);
      }
    }),
    queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return;
      for (const tally of meanwhile.values()) applyTally(queries, tally, false);
      if (queries.isFetching() === 0) meanwhile.clear();
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
