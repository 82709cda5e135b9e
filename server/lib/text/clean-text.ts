/** Signs that turn the direction of the text after them: a post must not be able to rewrite the page around it. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/gu;
/** Invisible signs beyond the joiners that emoji and some scripts need. */
const INVISIBLE = /[\u200b\u2060\ufeff\u00ad\u180e]/gu;
/** The same joiner over and over serves nobody. */
const JOINERS = /(\u200c|\u200d|\u200e|\u200f)\1+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu;

/**
 * What people type, made harmless to store and show: one Unicode form, no control signs, no direction tricks, no lone
 * surrogates, no stacks of accents over one letter.
 *
 * @param kind 'line' has no line breaks, 'text' keeps them (at most two in a row).
 */
export function cleanText(value: string, kind: 'line' | 'text'): string {
  const clean = value
    .toWellFormed()
    .normalize('NFC')
    .replaceAll('\r\n', '\n')
    .replace(CONTROL, '')
    .replace(DIRECTION, '')
    .replace(INVISIBLE, '')
    .replace(JOINERS, '$1')
    .replace(/(\p{M})\p{M}{4,}/gu, '$1');
  return (kind === 'line' ? clean.replace(/\s+/g, ' ') : clean.replace(/\n{3,}/g, '\n\n')).trim();
}
