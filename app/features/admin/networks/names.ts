import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';

/** Every network of the site, for filters and names. */
export const networksQuery = () => rpc.admin.networks.list.queryOptions({ input: { size: 100, sort: 'name' } });

/** What a network is called on this site; of one that is gone, its key. */
export function useNetworkNames(): (key: string) => string {
  const { data } = useQuery(networksQuery());
  return (key) => data?.rows.find((network) => network.key === key)?.name ?? key;
}
