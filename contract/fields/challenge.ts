import { z } from 'zod';

/** A solved challenge: the data of CHALLENGE_NEEDED and the solution. */
export const solvedChallenge = z.strictObject({
  challenge: z.record(z.string(), z.unknown()),
  solution: z.strictObject({
    counter: z.int().nonnegative(),
    derivedKey: z.string().max(200),
    time: z.number().optional(),
  }),
});
export type SolvedChallenge = z.infer<typeof solvedChallenge>;
