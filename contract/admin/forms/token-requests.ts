import { z } from 'zod';
import { requiredText } from '../../fields/schemas.ts';
import { REASON_MAX, REQUEST_MAX } from '../../limits.ts';

/** The two ways in which the team closes a paid request that the signer creates no token for. */
export const closureKind = z.enum(['delivered', 'cancelled']);

/** Closes a paid request that the signer creates no token for. A delivered token requires its address. */
export const closeForm = z
  .strictObject({
    as: closureKind,
    note: requiredText(1, REASON_MAX),
    address: z.string().trim().max(REQUEST_MAX.address).default(''),
    /** For a cancelled request: 'all' opens a refund of everything received and not yet refunded. */
    refund: z.enum(['all', 'none']).default('all'),
  })
  .superRefine(({ as, address }, check) => {
    if (as === 'delivered' && address === '')
      check.addIssue({ code: 'custom', path: ['address'], message: 'required' });
  });
