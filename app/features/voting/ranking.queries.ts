import { keepPreviousData } from '@tanstack/react-query';
import { retryTimes } from '#app/lib/api/query-client.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { RANKING_PAGE, TIMING } from '#contract/limits.ts';

export const rankingQuery = (limit: number = RANKING_PAGE, api = rpc) =>
  api.voting.ranking.queryOptions({
    input: { limit },
    staleTime: TIMING.candidatesFresh,
    gcTime: import.meta.env.SSR ? Number.POSITIVE_INFINITY : TIMING.candidatesCache,
    retry: retryTimes(1),
    placeholderData: keepPreviousData,
  });

/** The part of the ranking that home shows: the leader and the lead. */
export const stripQuery = (api = rpc) => rankingQuery(2, api);

export const historyQuery = (candidateId: string, api = rpc) =>
  api.voting.history.queryOptions({ input: { candidateId }, staleTime: TIMING.candidatesFresh });
