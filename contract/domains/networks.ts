import { oc } from '@orpc/contract';
import { z } from 'zod';

/**
 * How tokens are delivered on a network. `signer`: a signer creates them. `manual`: the team does, within the network's days.
 * `trial`: payments are simulated and no signer runs, so orders can be tested and no token is created.
 */
export const delivery = z.enum(['signer', 'manual', 'trial']);
export type Delivery = z.infer<typeof delivery>;

export const network = z.object({
  id: z.uuid(),
  /** Key stored in requests: solana, ethereum, bnb, polygon. */
  key: z.string(),
  name: z.string(),
  symbol: z.string(),
  isActive: z.boolean(),
  /** Days after the payment within which the team delivers by hand; null when it does not offer that. */
  manualDays: z.int().nullable(),
  createdAt: z.iso.datetime(),
});
const offeredNetwork = network.extend({
  /** Null when it is not on sale, because delivery is impossible. Payments for it are refused. */
  delivery: delivery.nullable(),
});
export type Network = z.infer<typeof offeredNetwork>;

export const networks = {
  list: oc
    .route({ method: 'GET', path: '/networks', tags: ['networks'], summary: 'Active networks, oldest first' })
    .output(z.array(offeredNetwork)),
};
