import { z } from 'zod';
import { REQUEST_MAX, TICKER_FORM } from '../limits.ts';
import { NETWORKS } from '../networks.ts';
import { cleanText, READABLE } from '../text/clean-text.ts';
import { cleanName, isPublicName } from '../text/names.ts';
import { httpLink } from './links.ts';

/** The slug of a token, or its id. */
export const slugOrId = z.string().min(1).max(160);
/** A public name as typed, normalised by `cleanName`. */
export const publicName = z.string().max(200).transform(cleanName).refine(isPublicName, 'Not a public name');
/** Position of the next page; opaque to clients. */
export const cursor = z.string().min(1).max(400);
/** Votes of one UTC day, oldest day first in lists. */
export const dayVotes = z.object({ day: z.iso.date(), votes: z.int().nonnegative() });
/** Kind of a token's public record. */
export const tokenKind = z.enum(['project', 'candidate', 'next']);
export type TokenKind = z.infer<typeof tokenKind>;

/** The network of a token or wallet. */
export const marketNetwork = z.enum(NETWORKS);

/** Status of a request for publication. */
export const submissionStatus = z.enum(['new', 'reviewed', 'approved', 'rejected']);

/** An optional single line: an empty one becomes null. */
export const lineOrNull = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullable()
    .transform((value) => value || null);
/** An http(s) address, or null. */
export const linkOrNull = lineOrNull(REQUEST_MAX.link).refine((value) => value === null || httpLink(value) !== '');
/** An image in the forms of the back office: an upload, an external URL, or null. */
export const imageOrNull = lineOrNull(REQUEST_MAX.link).refine(
  (value) => value === null || /^\/media\/[0-9a-f]{32}\.webp$/.test(value) || httpLink(value) !== '',
);
/**
 * A required text, sanitized, and counted as it is stored: invisible characters are removed, and in NFC some characters become
 * several. What then shows nothing is refused.
 */
const required = (kind: 'line' | 'text', min: number, max: number) =>
  z
    .string()
    .overwrite((value) => cleanText(value, kind))
    .min(min)
    .max(max)
    // One reason for each text: that of an empty one is its length.
    .refine((value) => value.length < min || READABLE.test(value));
/** A required text that may have line breaks. */
export const requiredText = (min: number, max: number) => required('text', min, max);
/** A required text of one line. */
export const nameOf = (min: number, max: number) => required('line', min, max);
/** A ticker in upper case; unchanged where upper case would have more than `max` characters ('ß' becomes 'SS'). */
export const upperTicker = (symbol: string, max: number): string => {
  const upper = symbol.toUpperCase();
  return upper.length > max ? symbol : upper;
};
/** A required ticker of at most `max` characters. */
export const ticker = (max: number) => nameOf(1, max).regex(TICKER_FORM);
