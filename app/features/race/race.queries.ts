import { rpc } from '#app/lib/api/rpc.ts';

export const raceQuery = (api = rpc) => ({ ...api.race.days.queryOptions({}), staleTime: 30_000 });

export const ranksQuery = (candidateId: string, api = rpc) => ({
  ...api.race.ranks.queryOptions({ input: { candidateId } }),
  staleTime: 30_000,
});

export const ticketQuery = (id: string, api = rpc) => ({
  ...api.race.ticket.queryOptions({ input: { id } }),
  staleTime: 0,
});
