import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { reopenLive } from '#app/lib/live/live.ts';
import { settleMemberHint } from '#app/lib/session/member-hint.ts';
import { personalCache } from '#app/lib/session/personal-cache.ts';
import { TIMING } from '#contract/limits.ts';

/** The signed-in user; queried by the browser only, because the document is the same for everybody. */
export const meQuery = () =>
  rpc.auth.me.queryOptions({
    staleTime: TIMING.roleFresh,
    refetchInterval: (query) => (query.state.data ? TIMING.sessionCheck : false),
    refetchOnWindowFocus: true,
    enabled: !import.meta.env.SSR,
  });

/** The signed-in member, null for a visitor, undefined while it is loading. */
export const useMe = () => useQuery(meQuery()).data;

/** Whether a user is signed in: undefined while it is loading, false too when the query fails. */
export function useSignedIn(): boolean | undefined {
  const { data: me, isError } = useQuery(meQuery());
  return me === undefined ? (isError ? false : undefined) : me !== null;
}

/** Shows or hides the parts for visitors once the session is loaded; stores the result for the next page load. */
export function useMemberHint(): void {
  const { data: me, isError } = useQuery(meQuery());
  useLayoutEffect(() => {
    if (me !== undefined) settleMemberHint(me !== null);
    else if (isError) settleMemberHint(undefined);
  }, [me, isError]);
}

/** Clears personal data from the cache and refetches the session: after sign-in, sign-up and sign-out. */
export async function sessionChanged(queries: QueryClient, me: { id: string } | null): Promise<void> {
  queries.setQueryData(rpc.auth.me.queryKey(), me as never);
  reopenLive();
  void personalCache()?.clear(queries, me?.id ?? null);
  queries.removeQueries({ queryKey: rpc.voting.mine.key(), type: 'inactive' });
  queries.removeQueries({ queryKey: rpc.account.key() });
  queries.removeQueries({ queryKey: rpc.notifications.key() });
  const personal = [rpc.voting.mine.key(), rpc.saved.list.key()];
  if (me === null) {
    void import('#app/lib/session/shown-pushes.ts').then(({ closeAllPushes }) => closeAllPushes()).catch(() => {});
    // Without a refetch: until the next render their readers are those of the member, and would be refused.
    for (const queryKey of personal) for (const query of queries.getQueryCache().findAll({ queryKey })) query.reset();
    return;
  }
  await Promise.all(personal.map((queryKey) => queries.resetQueries({ queryKey })));
}
