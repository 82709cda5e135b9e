import type { Client, NestedClient } from '@orpc/client';
import type { GeneralUtils, ProcedureUtils } from '@orpc/tanstack-query';
import { skipToken } from '@tanstack/react-query';

type Method = 'call' | 'queryKey' | 'queryOptions' | 'infiniteOptions' | 'mutationKey' | 'mutationOptions';

/** Helpers of each procedure, in the library's types; a domain has `key` only. */
export type ApiQueries<Api extends NestedClient<Record<never, never>>> =
  Api extends Client<infer Context, infer Input, infer Output, infer Failure>
    ? Pick<ProcedureUtils<Context, Input, Output, Failure>, Method> & GeneralUtils<Input>
    : {
        [Name in keyof Api]: Api[Name] extends NestedClient<Record<never, never>> ? ApiQueries<Api[Name]> : never;
      } & GeneralUtils<unknown>;

type Run = (input?: unknown, options?: { signal?: AbortSignal }) => Promise<unknown>;
type Options = Record<string, unknown> & { input?: unknown };
type InfiniteOptions = Record<string, unknown> & { input: (page: unknown) => unknown };

const keyOf = (path: readonly string[], { type, input }: { type?: string; input?: unknown } = {}) => [
  path,
  { ...(input === undefined ? {} : { input }), ...(type === undefined ? {} : { type }) },
];

/**
 * Sends a read in a microtask, so that one is never sent that was cancelled in the same task, or in a microtask of the cache's event
 * (app/lib/session/personal-data.ts). Sent at once it could reach the server: the task that hydrates a page is long.
 */
const afterThisTask = (start: () => Promise<unknown>) => Promise.resolve().then(start);

function methodsOf(run: Run, path: readonly string[]) {
  const keyFor = (options: Options = {}) => options['queryKey'] ?? keyOf(path, { type: 'query', input: options.input });
  const mutationKeyFor = (options: Options = {}) => options['mutationKey'] ?? keyOf(path, { type: 'mutation' });
  return {
    call: run,
    key: (options?: { type?: string; input?: unknown }) => keyOf(path, options),
    queryKey: keyFor,
    queryOptions: (options: Options = {}) => ({
      queryFn: ({ signal }: { signal: AbortSignal }) => afterThisTask(() => run(options.input, { signal })),
      ...(options.input === skipToken ? { enabled: false } : {}),
      ...options,
      queryKey: keyFor(options),
    }),
    infiniteOptions: (options: InfiniteOptions) => ({
      queryFn: ({ pageParam, signal }: { pageParam: unknown; signal: AbortSignal }) =>
        afterThisTask(() => run(options.input(pageParam), { signal })),
      ...options,
      queryKey:
        options['queryKey'] ?? keyOf(path, { type: 'infinite', input: options.input(options['initialPageParam']) }),
    }),
    mutationKey: mutationKeyFor,
    mutationOptions: (options: Options = {}) => ({
      mutationFn: (input: unknown) => run(input),
      ...options,
      mutationKey: mutationKeyFor(options),
    }),
  };
}

/**
 * Query keys and options of every procedure of a client, as `createTanstackQueryUtils` of oRPC makes them, without its streams,
 * defaults and context, which the contract does not use; query-options.test.ts compares the two. A procedure or domain must not have
 * the name of a helper.
 */
export function queriesOf<Api extends NestedClient<Record<never, never>>>(
  api: Api,
  path: readonly string[] = [],
): ApiQueries<Api> {
  const methods: Record<string, unknown> = methodsOf(api as unknown as Run, path);
  return new Proxy(methods, {
    // `await` looks up `then`: this object is not a promise.
    get: (_, name) =>
      typeof name === 'symbol' || name === 'then'
        ? undefined
        : (methods[name] ?? queriesOf((api as Record<string, Api>)[name] as Api, [...path, name])),
  }) as unknown as ApiQueries<Api>;
}
