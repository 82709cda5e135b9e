import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { reopenLive } from '#app/lib/live/live.ts';
import { settleMemberHint } from '#app/lib/session/member-hint.ts';
import { TIMING } from '#contract/limits.ts';

/** Who is signed in; asked by the browser only, because the document is the same for everybody. */
export const meQuery = () =>
  rpc.auth.me.queryOptions({
    staleTime: TIMING.roleFresh,
    refetchInterval: (query) => (query.state.data ? TIMING.sessionCheck : false),
    refetchOnWindowFocus: true,
    enabled: !import.meta.env.SSR,
  });

/** The signed-in member, null for a visitor, undefined while it is not known yet. */
export const useMe = () => useQuery(meQuery()).data;

/** Whether somebody is signed in: undefined while it is not known, false too when it can't be found out. */
export function useSignedIn(): boolean | undefined {
  const { data: me, isError } = useQuery(meQuery());
  return me === undefined ? (isError ? false : undefined) : me !== null;
}

/** Lets the parts for visitors appear, or not, once it is known who is there; remembers it for the next page load. */
export function useMemberHint(): void {
  const { data: me, isError } = useQuery(meQuery());
  useLayoutEffect(() => {
    if (me !== undefined) settleMemberHint(me !== null);
    else if (isError) settleMemberHint(undefined);
  }, [me, isError]);
}

/** Forgets everything personal and asks again who is there: after sign-in, sign-up and sign-out. */
export async function sessionChanged(queries: QueryClient, me: unknown): Promise<void> {
  queries.setQueryData(rpc.auth.me.queryKey(), me as never);
  reopenLive();
  queries.removeQueries({ queryKey: rpc.voting.mine.key(), type: 'inactive' });
  queries.removeQueries({ queryKey: rpc.account.key() });
  queries.removeQueries({ queryKey: rpc.notifications.key() });
  await Promise.all([
    queries.resetQueries({ queryKey: rpc.voting.mine.key() }),
    queries.resetQueries({ queryKey: rpc.saved.list.key() }),
  ]);
}
