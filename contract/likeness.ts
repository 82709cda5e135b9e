import { z } from 'zod';

/** What two tokens can be alike in. */
export const LIKENESS = ['name', 'symbol', 'link', 'contract', 'picture'] as const;
export type Likeness = (typeof LIKENESS)[number];

/** A token that is there already and that another one could be taken for. */
export const resemblance = z.object({
  kind: z.enum(['project', 'candidate', 'next_project']),
  id: z.uuid(),
  name: z.string(),
  symbol: z.string(),
  /** Its public page; null of one that visitors do not see. */
  path: z.string().nullable(),
  alike: z.array(z.enum(LIKENESS)).min(1),
});
export type Resemblance = z.infer<typeof resemblance>;

/** Somebody looked at what it resembles and sends it all the same. Without it RESEMBLES says what there is to look at. */
export const resemblanceAccepted = z.boolean().default(false);
