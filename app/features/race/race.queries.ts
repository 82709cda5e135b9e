import { rpc } from '#app/lib/api/rpc.ts';

/** @param round number of an ended round; undefined for the open one. */
export const raceQuery = (round: number | undefined, api = rpc) => ({
  ...api.race.days.queryOptions({ input: round === undefined ? {} : { round } }),
  staleTime: 30_000,
});

/** Polling interval of a ticket whose vote is not signed yet. Milliseconds. */
const UNSIGNED_MS = 3_000;

/** The round number of an address; undefined when it is not a number. */
export function requestedRound(parameters: URLSearchParams): number | undefined {
  const value = parameters.get('round') ?? '';
  return /^[1-9]\d{0,5}$/.test(value) ? Number(value) : undefined;
}

export const ranksQuery = (candidateId: string, api = rpc) => ({
  ...api.race.ranks.queryOptions({ input: { candidateId } }),
  staleTime: 30_000,
});

/** Ended rounds do not change: only the end of another one adds to them. */
export const placingsQuery = (candidateId: string, api = rpc) => ({
  ...api.race.placings.queryOptions({ input: { candidateId } }),
  staleTime: 30_000,
});

/** Polled until the vote is in a signed checkpoint of the ledger. */
export const ticketQuery = (id: string, api = rpc) =>
  api.race.ticket.queryOptions({
    input: { id },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.signed === false ? UNSIGNED_MS : false),
  });
