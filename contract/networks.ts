import { oc } from '@orpc/contract';
import { z } from 'zod';

export const network = z.object({
  id: z.uuid(),
  /** Stored in requests: solana, ethereum, bnb, polygon. */
  key: z.string(),
  name: z.string(),
  symbol: z.string(),
  isActive: z.boolean(),
  createdAt: z.iso.datetime(),
});
export type Network = z.infer<typeof network>;

export const networks = {
  list: oc
    .route({ method: 'GET', path: '/networks', tags: ['networks'], summary: 'Active networks, oldest first' })
    .output(z.array(network)),
};
