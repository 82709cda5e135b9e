import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { skipToken } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { contract } from '#contract/index.ts';
import { queriesOf } from './query-options.ts';
import { type ApiClient, client } from './rpc.ts';

type Recorded = { path: string; input: unknown; aborts: boolean };

/** An API that records its calls. */
function recording() {
  const calls: Recorded[] = [];
  const at = (path: string): unknown =>
    new Proxy(
      (input: unknown, options?: { signal?: AbortSignal }) => {
        calls.push({ path, input, aborts: options?.signal instanceof AbortSignal });
        return Promise.resolve(path);
      },
      { get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : at(`${path}.${String(name)}`)) },
    );
  return { api: at('') as ApiClient, calls };
}

describe('keys and options of queries', () => {
  it('equal those of the library', async () => {
    const mine = recording();
    const theirs = recording();
    const both = [queriesOf(mine.api), createTanstackQueryUtils(theirs.api)] as const;
    const made = both.map((rpc) => {
      const onSuccess = () => undefined;
      return {
        keys: [
          rpc.key(),
          rpc.voting.key(),
          rpc.voting.ranking.key(),
          rpc.voting.ranking.key({ type: 'query' }),
          rpc.voting.ranking.key({ input: { q: 'a' } as never }),
          rpc.voting.ranking.queryKey({ input: { q: 'a' } as never }),
          rpc.voting.ranking.queryKey({ queryKey: ['own'] } as never),
          rpc.auth.me.queryKey(),
          rpc.voting.cast.mutationKey(),
        ],
        query: rpc.voting.ranking.queryOptions({ input: { q: 'b' } as never, staleTime: 5 }),
        skipped: rpc.voting.ranking.queryOptions({ input: skipToken }),
        pages: rpc.projects.list.infiniteOptions({
          input: (page: number) => ({ page }) as never,
          initialPageParam: 1,
          getNextPageParam: () => 2,
        }),
        mutation: rpc.voting.cast.mutationOptions({ onSuccess }),
      };
    });
    const [ours, library] = made;
    expect(JSON.stringify(ours)).toBe(JSON.stringify(library));
    for (const one of made) {
      const { signal } = new AbortController();
      // biome-ignore lint/suspicious/noExplicitAny: called as the query library does.
      const run = (fn: unknown, argument: unknown) => (fn as any)(argument);
      await run(one.query.queryFn, { signal });
      await run(one.pages.queryFn, { signal, pageParam: 7 });
      await run(one.mutation.mutationFn, { candidateId: 'x' });
    }
    expect(mine.calls).toEqual(theirs.calls);
    expect(mine.calls).toEqual([
      { path: '.voting.ranking', input: { q: 'b' }, aborts: true },
      { path: '.projects.list', input: { page: 7 }, aborts: true },
      { path: '.voting.cast', input: { candidateId: 'x' }, aborts: false },
    ]);
  });

  it('have no name in common with the contract', () => {
    const methods = Object.keys(Object.getOwnPropertyDescriptors(queriesOf(client)));
    expect(methods).toContain('queryOptions');
    const names = (node: object): string[] =>
      '~orpc' in node ? [] : Object.entries(node).flatMap(([name, inner]) => [name, ...names(inner as object)]);
    const all = names(contract);
    expect(all).toContain('ranking');
    expect(all.filter((name) => methods.includes(name) || name === 'then')).toEqual([]);
  });
});
