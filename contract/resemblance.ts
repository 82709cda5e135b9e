import { z } from 'zod';

/** Properties in which two tokens can resemble each other. */
export const RESEMBLING_FIELDS = ['name', 'symbol', 'link', 'contract', 'picture'] as const;
export type ResemblingField = (typeof RESEMBLING_FIELDS)[number];

/** An existing token that another one could be taken for. */
export const resemblance = z.object({
  kind: z.enum(['project', 'candidate', 'next_project']),
  id: z.uuid(),
  name: z.string(),
  symbol: z.string(),
  /** Path of its public page; null when it is not public. */
  path: z.string().nullable(),
  alike: z.array(z.enum(RESEMBLING_FIELDS)).min(1),
});
export type Resemblance = z.infer<typeof resemblance>;

/** The user reviewed the resembling tokens and submits it nevertheless. Without it, RESEMBLES lists them. */
export const resemblanceAccepted = z.boolean().default(false);
