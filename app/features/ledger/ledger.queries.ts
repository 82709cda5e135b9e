import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import type { MyVotes } from '#contract/domains/ledger.ts';

/** The ledger's state changes within seconds after a vote. Milliseconds. */
const STALE_MS = 5_000;
/** Number of the newest rounds whose winners are looked up. */
const MAX_ROUNDS = 24;

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

/**
 * Names of candidates by id: of the races of these rounds, which rounds that ended before races were stored do not have, and of the member's
 * votes.
 */
export function useCandidateNames(rounds: readonly number[]): ReadonlyMap<string, string> {
  const queries = useQueryClient();
  const races = useQueries({
    queries: rounds
      .slice(-MAX_ROUNDS)
      .map((round) => rpc.race.days.queryOptions({ input: { round }, staleTime: Number.POSITIVE_INFINITY })),
  });
  const names = new Map<string, string>();
  for (const { data } of races) for (const { id, tokenName } of data?.candidates ?? []) names.set(id, tokenName);
  const mine = queries.getQueryData<MyVotes>(rpc.ledger.mine.queryKey());
  for (const { candidateId, tokenName } of mine ?? []) names.set(candidateId, tokenName);
  return names;
}
