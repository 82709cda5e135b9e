import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { onLiveEvent } from '#app/lib/live/live.ts';
import type { AdminCandidate } from '#contract/admin/voting.ts';
import { TIMING } from '#contract/limits.ts';

/** Keeps the counts of the screen in sync with the server; the leader is refetched at most once a second. */
export function useLiveVotes(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onLiveEvent((event) => {
      if (event.type !== 'votes.changed') return;
      const news = new Map(event.tallies.map((tally) => [tally.candidateId, tally]));
      queries.setQueriesData<{ rows: AdminCandidate[]; total: number }>(
        { queryKey: rpc.admin.candidates.list.key() },
        (old) =>
          old && {
            ...old,
            rows: old.rows.map((row) => {
              const tally = news.get(row.id);
              return tally ? { ...row, totalVotes: tally.totalVotes, votesToday: tally.votesToday } : row;
            }),
          },
      );
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ queryKey: rpc.admin.rounds.current.key() });
      }, TIMING.liveRefreshDelay);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [queries]);
}
