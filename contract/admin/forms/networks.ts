import { z } from 'zod';
import { nameOf } from '../../fields/schemas.ts';
import { MANUAL_DAYS_MAX, NETWORK_NAME_MAX, NETWORK_SYMBOL_MAX } from '../../limits.ts';

/** Editable fields of a network. */
export const networkForm = z.strictObject({
  name: nameOf(1, NETWORK_NAME_MAX),
  symbol: nameOf(1, NETWORK_SYMBOL_MAX),
  isActive: z.boolean(),
  /** Days after the payment within which the team delivers by hand; null when it does not offer that. */
  manualDays: z.int().min(1).max(MANUAL_DAYS_MAX).nullable(),
});
