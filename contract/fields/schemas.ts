import { z } from 'zod';
import { REQUEST_MAX, TICKER_FORM } from '../limits.ts';
import { cleanName, isPublicName } from '../text/names.ts';
import { httpLink } from './links.ts';

/** A token's name in an address, or its id. */
export const slugOrId = z.string().min(1).max(160);
/** A public name as people type it, cleaned. */
export const publicName = z.string().max(200).transform(cleanName).refine(isPublicName, 'Not a public name');
/** Where the next page starts; opaque to callers. */
export const cursor = z.string().min(1).max(400);
/** Votes of one UTC day, oldest day first in lists. */
export const dayVotes = z.object({ day: z.iso.date(), votes: z.int().nonnegative() });
/** Kind of a token's public record. */
export const tokenKind = z.enum(['project', 'candidate', 'next']);
export type TokenKind = z.infer<typeof tokenKind>;

/** Networks that providers of market data know. */
export const marketNetwork = z.enum(['solana', 'ethereum', 'bnb', 'polygon']);
export type MarketNetwork = z.infer<typeof marketNetwork>;

/** Of a request for publication. */
export const submissionStatus = z.enum(['new', 'reviewed', 'approved', 'rejected']);

/** One line that may be missing: what is empty counts as null. */
export const lineOrNull = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .nullable()
    .transform((value) => value || null);
/** An http(s) address, or null. */
export const linkOrNull = lineOrNull(REQUEST_MAX.link).refine((value) => value === null || httpLink(value) !== '');
/** An image as forms of the back office hold it: one that was uploaded here, an address elsewhere, or null. */
export const imageOrNull = lineOrNull(REQUEST_MAX.link).refine(
  (value) => value === null || /^\/media\/[0-9a-f]{32}\.webp$/.test(value) || httpLink(value) !== '',
);
/** A required ticker of at most `max` characters. */
export const ticker = (max: number) => z.string().trim().min(1).max(max).regex(TICKER_FORM);
