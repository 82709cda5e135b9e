import { z } from 'zod';
import { bulkAnswer, bulkIds } from './shared/bulk.ts';
import { adminRead, adminWrite, byAdminAfterStepUp, listInput, pageOf } from './shared/list.ts';

export const moderatorRequest = z.object({
  /** Id of the member. */
  id: z.uuid(),
  /** Null when the forum profile is missing. */
  username: z.string().nullable(),
  walletAddress: z.string().nullable(),
  requestedAt: z.iso.datetime().nullable(),
  status: z.enum(['approved', 'pending', 'rejected']),
});
export type ModeratorRequest = z.infer<typeof moderatorRequest>;

export const adminModeratorRequests = {
  list: adminRead('/moderator-requests', 'Requests to become a moderator')
    .input(
      listInput(['requestedAt', 'username'], {
        status: z.enum(['pending', 'approved', 'rejected', 'all']).default('pending'),
      }),
    )
    .output(pageOf(moderatorRequest)),
  /** Changes pending requests only. Requires step-up, because an approval creates a moderator. */
  decide: adminWrite('POST', '/moderator-requests/decide', 'Approve or reject requests to become a moderator')
    .errors(byAdminAfterStepUp)
    .input(z.strictObject({ ids: bulkIds, decision: z.enum(['approve', 'reject']) }))
    .output(bulkAnswer),
};
