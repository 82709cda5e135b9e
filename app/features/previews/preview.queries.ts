import { rpc } from '#app/lib/api/rpc.ts';

export const previewQuery = (key: string) => ({
  ...rpc.previews.read.queryOptions({ input: { key } }),
  staleTime: 0,
});
