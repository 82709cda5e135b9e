import type { QueryClient } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { reopenLive } from '#app/lib/live/live.ts';
import { setPersonalCache } from './personal-cache.ts';

/**
 * Everything that the server answers differently for each member, or to members only. personal-data.test.ts compares it with the
 * procedures that the pages read.
 */
export const personalKeys = () => [
  rpc.account.key(),
  rpc.admin.key(),
  rpc.notifications.key(),
  rpc.ownership.key(),
  rpc.profiles.key(),
  rpc.saved.key(),
  rpc.ledger.mine.key(),
  rpc.tokenRequests.mine.key(),
  rpc.voting.mine.key(),
  rpc.voting.uncounted.key(),
  ...(['history', 'mine', 'myRemovals', 'myReview', 'names', 'reviewQueue', 'trust'] as const).map((name) =>
    rpc.forum[name].key(),
  ),
];

/** The member whose data the cache has, null for a visitor; unset before the first answer. */
const owners = new WeakMap<QueryClient, string | null>();

/**
 * Clears personal data from the cache, and fetches what is on the screen again for the new session.
 * @param memberId null for a visitor.
 */
export async function clearPersonalData(queries: QueryClient, memberId: string | null): Promise<void> {
  owners.set(queries, memberId);
  const personal = personalKeys();
  for (const queryKey of personal) queries.removeQueries({ queryKey, type: 'inactive' });
  // A visitor's are not fetched: until the next render their readers are those of the member, and would be refused.
  if (memberId === null)
    for (const queryKey of personal) for (const query of queries.getQueryCache().findAll({ queryKey })) query.reset();
  else await Promise.all(personal.map((queryKey) => queries.resetQueries({ queryKey })));
}

/**
 * Clears personal data when the session became another member's without a sign-in in this tab: what one member read must
 * not be shown to the next. @param memberId null for a visitor.
 */
export function expectOwner(queries: QueryClient, memberId: string | null): void {
  const before = owners.get(queries);
  if (before === undefined) owners.set(queries, memberId);
  else if (before !== memberId) {
    // The stream still belongs to the session before.
    reopenLive();
    void clearPersonalData(queries, memberId);
  }
}

/**
 * Cancels reads for the member while the session is being ended, those under way and those that begin meanwhile: the answers would only
 * be refusals.
 * @returns a function to call after the attempt to end the session, with true when that failed.
 */
export function cancelPersonalReads(queries: QueryClient): (resume: boolean) => void {
  const all = (work: (filter: { queryKey: readonly unknown[] }) => unknown) => {
    for (const queryKey of personalKeys()) void work({ queryKey });
  };
  const cancel = () => all((filter) => queries.cancelQueries(filter));
  const end = queries.getQueryCache().subscribe((event) => {
    // This event comes before the query has something to cancel; a microtask later it has.
    if (event.type === 'updated' && event.action.type === 'fetch') queueMicrotask(cancel);
  });
  cancel();
  return (resume) => {
    end();
    if (resume) all((filter) => queries.invalidateQueries(filter));
  };
}

setPersonalCache({ clear: clearPersonalData, cancel: cancelPersonalReads });
