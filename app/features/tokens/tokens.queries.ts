import { retryTimes } from '#app/lib/api/query-client.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { TIMING } from '#contract/limits.ts';

/** A token by slug or id; one retry, none when it does not exist. */
export const tokenQuery = (slug: string, api = rpc) =>
  api.tokens.find.queryOptions({ input: { slug }, staleTime: TIMING.candidatesFresh, retry: retryTimes(1) });
