import { type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import type { AdminSession } from '#contract/domains/admin.ts';
import { TIMING } from '#contract/limits.ts';
import { dropStoredForms } from './kit/forms/stored-forms.ts';

/** State of access to the back office: the session; null for a user without access; undefined while it is loading. */
export interface AdminAccess {
  session: AdminSession | null | undefined;
  /** The server could not be reached. */
  unreachable: boolean;
  retry: () => void;
}

const REFUSED = [401, 403];
const statusOf = (error: unknown) => (error as { status?: number }).status ?? 0;

const meOptions = () =>
  rpc.auth.me.queryOptions({
    staleTime: TIMING.roleFresh,
    refetchOnWindowFocus: true,
    enabled: !import.meta.env.SSR,
  });

/** Id of the current user; undefined while it is loading. */
export const useOwnId = (): string | undefined => useQuery(meOptions()).data?.id;

/**
 * A refusal is a result, not a failure: it must not be retried. A user who is in stays in while a check fails or is late: the check
 * only decides what is shown, each call has its own guard on the server.
 */
export const sessionQuery = (api = rpc) => ({
  queryKey: rpc.admin.session.queryKey(),
  queryFn: async ({ client, queryKey }: { client: QueryClient; queryKey: QueryKey }): Promise<AdminSession | null> => {
    const late = new AbortController();
    const inside = Boolean(client.getQueryData(queryKey));
    const timer = inside ? setTimeout(() => late.abort(), TIMING.sessionCheckTimeout) : undefined;
    try {
      return await api.admin.session.call(undefined, { signal: late.signal });
    } catch (error) {
      if (REFUSED.includes(statusOf(error))) return null;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  },
});

export function useAdminAccess(): AdminAccess {
  const me = useQuery(meOptions());
  // Users without an admin profile are not queried at all: visitors open the sign-in without a refused request.
  const staff = me.data?.isAdmin ?? false;
  const { data, isError, refetch } = useQuery({
    ...sessionQuery(),
    staleTime: TIMING.roleFresh,
    refetchInterval: TIMING.sessionCheck,
    refetchOnWindowFocus: true,
    enabled: !import.meta.env.SSR && staff,
  });
  const outside = me.data !== undefined && !staff;
  return {
    session: outside ? null : data,
    unreachable: !outside && data === undefined && (isError || me.isError),
    retry: () => void (me.data ? refetch() : me.refetch()),
  };
}

/** After a refused call: refetches the session at once, so that the open tab of a demoted admin closes its screens. */
export function checkSession(queries: QueryClient, error: unknown): void {
  if (REFUSED.includes(statusOf(error)) && (error as { code?: string }).code !== 'STEP_UP_NEEDED')
    void queries.invalidateQueries({ queryKey: rpc.admin.session.queryKey() });
}

/** Every refused query and mutation refetches the session; calls outside of both do it with `checkSession`. */
export function useGuardedTab(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const check = (error: unknown) => checkSession(queries, error);
    const reads = queries.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') check(event.action.error);
    });
    const writes = queries.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') check(event.action.error);
    });
    return () => {
      reads();
      writes();
    };
  }, [queries]);
}

/** Removes all data of the back office from the query cache. */
export function forgetAdminData(queries: QueryClient): void {
  dropStoredForms();
  queries.removeQueries({ queryKey: rpc.admin.key() });
  queries.setQueryData(rpc.admin.session.queryKey(), null as never);
}
