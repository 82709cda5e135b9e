// Sanitizing of texts of people. Browsers run this file too.

/** Bidirectional control characters: they can reverse the direction of text outside of a post. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/gu;
/** Invisible characters other than the joiners that emoji and some scripts need. */
const INVISIBLE = /[\u200b\u2060\ufeff\u00ad\u180e]/gu;
/** A repeated joiner has no purpose. */
const JOINERS = /(\u200c|\u200d|\u200e|\u200f)\1+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu;

/**
 * Sanitizes user text for storage and display: Unicode NFC, without control characters, bidirectional controls, lone
 * surrogates, and more than four combining marks on one letter.
 *
 * @param kind 'line' replaces line breaks by spaces, 'text' allows them (at most two in a row).
 */
export function cleanText(value: string, kind: 'line' | 'text'): string {
  const clean = value
    .toWellFormed()
    .replace(CONTROL, '')
    .replace(DIRECTION, '')
    .replace(INVISIBLE, '')
    .replace(JOINERS, '$1')
    // After the removals, which join characters: the result of a second call is the same text.
    .replace(/\r+\n/g, '\n')
    .normalize('NFC')
    .replace(/(\p{M})\p{M}{4,}/gu, '$1');
  return (kind === 'line' ? clean.replace(/\s+/g, ' ') : clean.replace(/\n{3,}/g, '\n\n')).trim();
}

/**
 * A text with something to read: some letters and symbols are rendered blank, and joiners and marks alone show nothing. Without any
 * of these, what `cleanText` leaves is empty or looks it.
 */
export const READABLE = /(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u;
