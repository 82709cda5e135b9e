import { z } from 'zod';
import { lineOrNull } from '../../fields/schemas.ts';
import { REQUEST_MAX } from '../../limits.ts';
import { marketCapOr, tokenFields } from './token.ts';

export const nextProjectStatus = z.enum(['pending', 'published', 'launched']);

/** A moment or null; a five-digit year is rejected as a typing error. */
const momentOrNull = z.iso
  .datetime({ offset: true })
  .refine((value) => Date.parse(value) >= 0 && Date.parse(value) < Date.UTC(2200, 0))
  .nullable();

/** Editable fields of a NEXT project. */
export const nextProjectForm = z.strictObject({
  ...tokenFields,
  tokenAddress: lineOrNull(REQUEST_MAX.address),
  launchDate: momentOrNull,
  countdownEnd: momentOrNull,
  status: nextProjectStatus,
  isActive: z.boolean(),
  price: z.number().min(0).max(1e12),
  marketCap: marketCapOr('TBD'),
});
