import { z } from 'zod';
import { bulkAnswer, bulkIds } from './shared/bulk.ts';
import { adminRead, adminWrite, byProvenAdmin, listInput, pageOf } from './shared/list.ts';

export const moderatorRequest = z.object({
  /** Of the member. */
  id: z.uuid(),
  /** Null where the forum profile is missing. */
  username: z.string().nullable(),
  walletAddress: z.string().nullable(),
  requestedAt: z.iso.datetime().nullable(),
  status: z.enum(['approved', 'pending', 'rejected']),
});
export type ModeratorRequest = z.infer<typeof moderatorRequest>;

export const adminModeratorRequests = {
  list: adminRead('/moderator-requests', 'Wishes to moderate')
    .input(
      listInput(['requestedAt', 'username'], {
        status: z.enum(['pending', 'approved', 'rejected', 'all']).default('pending'),
      }),
    )
    .output(pageOf(moderatorRequest)),
  /** Only pending ones change. Approving makes moderators, so it asks for a fresh proof. */
  decide: adminWrite('POST', '/moderator-requests/decide', 'Approve or reject wishes to moderate')
    .errors(byProvenAdmin)
    .input(z.strictObject({ ids: bulkIds, decision: z.enum(['approve', 'reject']) }))
    .output(bulkAnswer),
};
