import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { useRights } from '../kit/rights.tsx';

/** Every network of the site, for filters and names. */
export const networksQuery = () => rpc.admin.networks.list.queryOptions({ input: { size: 100, sort: 'name' } });

/** Name of a network; its key when it was deleted, or when the user has no right to the list; '…' while the list is loading. */
export function useNetworkNames(): (key: string) => string {
  const { may } = useRights();
  const { data, isLoading } = useQuery({ ...networksQuery(), enabled: may('networks.list') });
  return (key) => data?.rows.find((network) => network.key === key)?.name ?? (isLoading ? '…' : key);
}
