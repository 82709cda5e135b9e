import { z } from 'zod';

/** A token's name in an address, or its id. */
export const slugOrId = z.string().min(1).max(160);
/** Where the next page starts; opaque to callers. */
export const cursor = z.string().min(1).max(400);
/** Votes of one UTC day, oldest day first in lists. */
export const dayVotes = z.object({ day: z.iso.date(), votes: z.int().nonnegative() });
/** Kind of a token's public record. */
export const tokenKind = z.enum(['project', 'candidate', 'next']);
export type TokenKind = z.infer<typeof tokenKind>;
