import { describe, expect, it } from 'vitest';
import { setReadTimes } from './prefetch.ts';
import { makeQueryClient } from './query-client.ts';

describe('the read time of prefetched data', () => {
  it('is that of the cached answer, and of a list with several pages the earliest one', async () => {
    const queries = makeQueryClient();
    const [list, more, own] = [{ items: [] }, { items: [] }, { items: [] }];
    await queries.fetchQuery({ queryKey: ['kept'], queryFn: () => list });
    await queries.fetchQuery({ queryKey: ['own'], queryFn: () => own });
    await queries.fetchInfiniteQuery({
      queryKey: ['pages'],
      queryFn: ({ pageParam }) => (pageParam === 0 ? more : list),
      initialPageParam: 0,
      pages: 2,
      getNextPageParam: () => 1,
    });
    const ownAt = queries.getQueryState(['own'])?.dataUpdatedAt;
    setReadTimes(queries, (answer) => (answer === list ? 5_000 : answer === more ? 4_000 : undefined));
    expect(queries.getQueryState(['kept'])?.dataUpdatedAt).toBe(5_000);
    expect(queries.getQueryState(['pages'])?.dataUpdatedAt).toBe(4_000);
    expect(queries.getQueryState(['own'])?.dataUpdatedAt).toBe(ownAt);
    queries.clear();
  });
});
