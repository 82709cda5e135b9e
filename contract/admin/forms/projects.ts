import { z } from 'zod';
import { PROJECT_ADDRESS_MIN, REQUEST_MAX } from '../../limits.ts';
import { marketCapOr, tokenFields } from './token.ts';

export const projectStatus = z.enum(['pending', 'approved', 'rejected', 'published_home', 'published_next']);
export type ProjectStatus = z.infer<typeof projectStatus>;

/** Editable fields of a project on home. An empty contract address defaults to the token's address. */
export const projectForm = z.strictObject({
  ...tokenFields,
  tokenAddress: z.string().trim().min(PROJECT_ADDRESS_MIN).max(REQUEST_MAX.address),
  holdersCount: z.int().min(0).max(2_147_483_647).nullable(),
  marketCap: marketCapOr('$0'),
  status: projectStatus,
});
