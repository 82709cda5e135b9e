import { z } from 'zod';
import { REPORT_NOTE_MAX, REQUEST_MAX } from '../../limits.ts';

/** How a paid request ends without a token of the signer. What was delivered has an address. */
export const closeForm = z
  .strictObject({
    as: z.enum(['delivered', 'cancelled']),
    note: z.string().trim().min(1).max(REPORT_NOTE_MAX),
    address: z.string().trim().max(REQUEST_MAX.address).default(''),
  })
  .superRefine(({ as, address }, check) => {
    if (as === 'delivered' && address === '')
      check.addIssue({ code: 'custom', path: ['address'], message: 'required' });
  });
