import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import type { Plan } from '#contract/domains/payments.ts';

/** The terms of all items, and which plans are on sale. @param api the API client; on the server that of the loaders. */
export const termsQuery = (api: typeof rpc = rpc) => api.deliverables.terms.queryOptions({ staleTime: 60_000 });

/**
 * Items of a plan that cannot be delivered now; null while it is on sale. The server refuses the payment independently of what is
 * shown.
 */
export function useOffSale(plan: Plan) {
  const { data } = useQuery(termsQuery());
  const found = data?.plans.find((one) => one.plan === plan);
  return found && !found.onSale ? found.missing : null;
}
