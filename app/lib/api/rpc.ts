import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '#contract/index.ts';
import { ApiFailure } from './failure.ts';
import { queriesOf } from './query-options.ts';

export type ApiClient = ContractRouterClient<typeof contract>;

/**
 * Calls one procedure. The protocol is oRPC's RPC protocol; the contract uses plain JSON only, so this replaces the library's
 * own client, which is ten times the size (docs/adr/0013-small-client.md).
 * @throws ApiFailure when the server refused. @throws TypeError when it can't be reached.
 */
async function call(path: readonly string[], input: unknown, signal?: AbortSignal): Promise<unknown> {
  const response = await fetch(`/rpc/${path.join('/')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ json: input }),
    signal,
  });
  // What is no JSON comes from a proxy. A connection that breaks within the body loses the answer as one that breaks before it.
  const body = (await response.json().catch((error: Error) => {
    if (error.name !== 'SyntaxError') throw error;
  })) as { json?: unknown } | undefined;
  if (response.ok && body) return body.json;
  const { code, data, message } = (body?.json ?? {}) as { code?: string; data?: unknown; message?: string };
  throw new ApiFailure(code ?? 'UNEXPECTED', response.status, data, message);
}

/** `client.voting.cast(input)` is a call; every property access adds a segment to its path. */
function procedureAt(path: readonly string[]): unknown {
  const run = (input?: unknown, options?: { signal?: AbortSignal }) => call(path, input, options?.signal);
  return new Proxy(run, {
    // `await` looks up `then`: this object is not a promise.
    get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : procedureAt([...path, name])),
  });
}

/** The API client of the browser. */
export const client = procedureAt([]) as ApiClient;

/** Query keys and options of every procedure; on the server `apiQueries` creates the same for the in-process API. */
export const rpc = queriesOf(client);
export const apiQueries = (api: ApiClient) => queriesOf(api);
