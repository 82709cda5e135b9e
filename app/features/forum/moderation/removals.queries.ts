import { rpc } from '#app/lib/api/rpc.ts';

export const removalLogQuery = (page: number, api = rpc) => api.forum.removalLog.queryOptions({ input: { page } });
export const myRemovalsQuery = () => rpc.forum.myRemovals.queryOptions();
