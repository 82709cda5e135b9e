import { z } from 'zod';
import { REPORT_NOTE_MAX, REQUEST_MAX } from '../../limits.ts';

/** How the team ends a paid request without a token of the signer. */
export const closureKind = z.enum(['delivered', 'cancelled']);

/** How a paid request ends without a token of the signer. What was delivered has an address. */
export const closeForm = z
  .strictObject({
    as: closureKind,
    note: z.string().trim().min(1).max(REPORT_NOTE_MAX),
    address: z.string().trim().max(REQUEST_MAX.address).default(''),
    /** Of a cancelled request: whether a refund is opened of everything that arrived and did not go back yet. */
    refund: z.enum(['all', 'none']).default('all'),
  })
  .superRefine(({ as, address }, check) => {
    if (as === 'delivered' && address === '')
      check.addIssue({ code: 'custom', path: ['address'], message: 'required' });
  });
