import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import type { contract } from '#contract/index.ts';

export type ApiClient = ContractRouterClient<typeof contract>;

/** The API from the browser. The address is computed at each call, so the server may import this file. */
export const client: ApiClient = createORPCClient(new RPCLink({ url: () => `${location.origin}/rpc` }));

/** Query keys and options of every procedure; on the server `apiQueries` makes the same over the in-process API. */
export const rpc = createTanstackQueryUtils(client);
export const apiQueries = (api: ApiClient) => createTanstackQueryUtils(api) as typeof rpc;
