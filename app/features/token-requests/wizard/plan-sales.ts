import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import type { Plan } from '#contract/domains/payments.ts';

/** What nobody can deliver of a plan now; null while it is on sale. The server refuses the payment whatever is shown. */
export function useOffSale(plan: Plan) {
  const { data } = useQuery(rpc.deliverables.terms.queryOptions({ staleTime: 60_000 }));
  const found = data?.plans.find((one) => one.plan === plan);
  return found && !found.onSale ? found.missing : null;
}
