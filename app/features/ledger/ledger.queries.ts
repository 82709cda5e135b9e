import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';

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
