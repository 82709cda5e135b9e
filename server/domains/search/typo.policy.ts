/** Shorter words tolerate no typing error: "ano" is not "año", and "sol" is not "sal". */
const TYPO_MIN = 4;

/** The words of a normalized text, split like `florka_one_off` of the database. */
export const splitIntoTerms = (normalized: string): string[] => normalized.split(/[\s!-/:-@[-`{-~]+/).filter(Boolean);

/** n and ñ are different letters, not a typing error. */
const areDistinct = (a: string | undefined, b: string | undefined) =>
  (a === 'n' && b === 'ñ') || (a === 'ñ' && b === 'n');

/**
 * True when two normalized words differ in exactly one letter: wrong, missing, additional, or two adjacent ones swapped. Never for
 * words of fewer than four letters, nor for n instead of ñ.
 */
export function isOneOff(typed: string, word: string): boolean {
  const [a, b] = [[...typed], [...word]];
  if (a.length < TYPO_MIN || b.length < TYPO_MIN || Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const rest = (letters: string[], from: number) => letters.slice(from).join('');
  if (at === a.length && at === b.length) return false;
  if (a.length > b.length) return rest(a, at + 1) === rest(b, at);
  if (a.length < b.length) return rest(a, at) === rest(b, at + 1);
  if (rest(a, at + 1) === rest(b, at + 1)) return !areDistinct(a[at], b[at]);
  return a[at] === b[at + 1] && a[at + 1] === b[at] && rest(a, at + 2) === rest(b, at + 2);
}

/** True when each typed word is contained in the text or differs in one letter from one of its words. Both are normalized. */
export function matchesWithTypos(typed: readonly string[], normalized: string): boolean {
  const terms = splitIntoTerms(normalized);
  return typed.every((one) => normalized.includes(one) || terms.some((word) => isOneOff(one, word)));
}
