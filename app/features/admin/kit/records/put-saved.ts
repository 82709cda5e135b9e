import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Replaces a saved record in the lists that hold it. They are read again only after its form was closed: until then the record would open
 * with its old values, and its next save would conflict with this one.
 *
 * @param lists key of the lists: `rpc.admin.networks.list.key()`.
 */
export function putSaved(queries: QueryClient, lists: QueryKey, saved: { id: string }): void {
  queries.setQueriesData<{ rows: { id: string }[] }>(
    { queryKey: lists },
    (old) => old && { ...old, rows: old.rows.map((row) => (row.id === saved.id ? saved : row)) },
  );
}
