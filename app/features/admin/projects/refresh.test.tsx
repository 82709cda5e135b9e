import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { rpc } from '#app/lib/api/rpc.ts';
import { useNextRefresh } from '../next-projects/next-actions.ts';
import { useProjectsRefresh } from './project-actions.ts';

afterEach(() => vi.useRealTimers());

/** The return value of a hook. */
function hookValue<T>(queries: QueryClient, use: () => T): T {
  const given: T[] = [];
  function Screen() {
    given.push(use());
    return null;
  }
  renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <Screen />
    </QueryClientProvider>,
  );
  return given[0] as T;
}

describe('after a change in the back office', () => {
  it.each([
    ['projects', useProjectsRefresh, rpc.admin.projects.key(), rpc.projects.key()],
    ['NEXT projects', useNextRefresh, rpc.admin.nextProjects.key(), rpc.nextProjects.key()],
  ] as const)(
    'the admin list of %s is invalidated at once, the public lists 100 ms later [A-PROJ-76] [A-PROJ-77] [A-NEXT-60] [TIME-33] [AMB-201]',
    async (_, use, adminKey, site) => {
      vi.useFakeTimers();
      const queries = new QueryClient();
      for (const key of [adminKey, site, rpc.tokens.key()]) queries.setQueryData(key, []);
      const stale = (key: readonly unknown[]) => queries.getQueryState(key)?.isInvalidated;
      await hookValue(queries, use)();
      expect([adminKey, site, rpc.tokens.key()].map(stale)).toEqual([true, false, false]);
      await vi.advanceTimersByTimeAsync(99);
      expect(stale(site)).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect([site, rpc.tokens.key()].map(stale)).toEqual([true, true]);
    },
  );
});
