import { rpc } from '#app/lib/api/rpc.ts';

export const profileQuery = (name: string, api = rpc) => ({
  ...api.profiles.page.queryOptions({ input: { name } }),
  staleTime: 60_000,
});
