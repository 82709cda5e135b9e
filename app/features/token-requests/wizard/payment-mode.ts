import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';

/** Whether payments are possible here, and how. */
export const usePaymentMode = () => useQuery(rpc.tokenRequests.paymentMode.queryOptions({ staleTime: 60_000 }));
