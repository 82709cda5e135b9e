import type { QueryClient } from '@tanstack/react-query';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import type { SavedRef } from '#contract/domains/saved.ts';
import { SAVED_MAX } from '#contract/limits.ts';
import { localRefs, writeLocal } from './browser-list.ts';

const includes = (list: readonly SavedRef[], { kind, id }: SavedRef) =>
  list.some((other) => other.kind === kind && other.id === id);

/** The account's list with all of these; null when it has no room for all. */
const mergeWhole = (refs: SavedRef[]): Promise<SavedRef[] | null> =>
  client.saved.merge({ refs }).catch((error: unknown) => {
    if (codeOf(error) !== 'TOO_MANY_SAVED') throw error;
    return null;
  });

/**
 * Merges a visitor's saved list of this browser into the signed-in account, and removes it from the browser. When the account has no room
 * for all, the newest are merged, and the others stay in the browser until there is room.
 */
export async function mergeSaved(queries: QueryClient): Promise<void> {
  const refs = localRefs();
  if (refs.length === 0) return;
  const show = (list: SavedRef[]) => queries.setQueryData(rpc.saved.list.queryKey(), list);
  const forget = (merged: readonly SavedRef[]) => writeLocal(localRefs().filter((ref) => !includes(merged, ref)));
  // More are refused by the server, whatever room there is.
  const whole = refs.length <= SAVED_MAX ? await mergeWhole(refs) : null;
  if (whole) {
    show(whole);
    return forget(refs);
  }
  let list = await client.saved.list();
  let left = refs.filter((ref) => !includes(list, ref));
  forget(list);
  // What no longer exists takes no room, so that there may be some again after a portion.
  while (left.length > 0 && list.length < SAVED_MAX) {
    const portion = left.slice(0, SAVED_MAX - list.length);
    list = await client.saved.merge({ refs: portion });
    show(list);
    forget(portion);
    left = left.slice(portion.length);
  }
}
