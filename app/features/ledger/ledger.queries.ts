import { useQuery, useQueryClient } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import type { MyVotes } from '#contract/domains/ledger.ts';
import type { Ranking } from '#contract/domains/voting.ts';

/** The ledger's state changes within seconds after a vote. Milliseconds. */
const STALE_MS = 5_000;

export const ledgerQuery = (api = rpc) => api.ledger.state.queryOptions({ staleTime: STALE_MS });

export const useLedger = () =>
  useQuery({
    ...ledgerQuery(),
    // The first signature is made soon after the start.
    refetchInterval: ({ state }) => (state.data?.checkpoint === null ? 2_000 : 15_000),
  });

/** The member's votes, polled until the last of them is in a signed checkpoint. */
export const useMyLeaves = (signedIn: boolean) =>
  useQuery(
    rpc.ledger.mine.queryOptions({
      staleTime: STALE_MS,
      enabled: signedIn,
      refetchInterval: ({ state }) => (state.data?.some((vote) => !vote.signed) ? 2_000 : false),
    }),
  );

/** Names of candidates by id, as far as this page has loaded them: of the ranking and of the member's votes. */
export function useCandidateNames(): ReadonlyMap<string, string> {
  const queries = useQueryClient();
  const names = new Map<string, string>();
  for (const [, ranking] of queries.getQueriesData<Ranking>({ queryKey: rpc.voting.ranking.key() }))
    for (const { id, tokenName } of ranking?.items ?? []) names.set(id, tokenName);
  const mine = queries.getQueryData<MyVotes>(rpc.ledger.mine.queryKey());
  for (const { candidateId, tokenName } of mine ?? []) names.set(candidateId, tokenName);
  return names;
}
