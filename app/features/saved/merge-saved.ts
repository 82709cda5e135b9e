import type { QueryClient } from '@tanstack/react-query';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { localRefs, writeLocal } from './browser-list.ts';

/** Merges a visitor's saved list of this browser into the signed-in account, and empties the browser's list. */
export async function mergeSaved(queries: QueryClient): Promise<void> {
  const refs = localRefs();
  if (refs.length === 0) return;
  queries.setQueryData(rpc.saved.list.queryKey(), await client.saved.merge({ refs }));
  writeLocal([]);
}
