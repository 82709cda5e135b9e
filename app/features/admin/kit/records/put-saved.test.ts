import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { rpc } from '#app/lib/api/rpc.ts';
import { putSaved } from './put-saved.ts';

describe('a saved record', () => {
  it('replaces its old version in every cached page of its list, and is added to no other page', () => {
    const queries = new QueryClient();
    const { list } = rpc.admin.networks;
    const first = { id: 'a', version: 1 };
    const second = { id: 'b', version: 4 };
    const saved = { id: 'b', version: 5 };
    const all = list.queryKey({ input: {} });
    const sorted = list.queryKey({ input: { sort: 'name' } });
    const found = list.queryKey({ input: { q: 'a' } });
    for (const key of [all, sorted]) queries.setQueryData<unknown>(key, { rows: [first, second], total: 2 });
    queries.setQueryData<unknown>(found, { rows: [first], total: 1 });
    putSaved(queries, list.key(), saved);
    expect([all, sorted, found].map((key) => queries.getQueryData<unknown>(key))).toEqual([
      { rows: [first, saved], total: 2 },
      { rows: [first, saved], total: 2 },
      { rows: [first], total: 1 },
    ]);
  });
});
