import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOneOff, matchesWithTypos, splitIntoTerms } from './typo.policy.ts';

describe('a word with one typing error', () => {
  it.each([
    ['pepe', 'peep', 'two neighbours swapped'],
    ['doge', 'dgoe', 'two neighbours swapped'],
    ['bitcon', 'bitcoin', 'one missing'],
    ['bitcooin', 'bitcoin', 'one too many'],
    ['etherium', 'ethereum', 'one wrong'],
    ['olana', 'solana', 'the first missing'],
    ['ajolotes', 'ajolote', 'the last too many'],
  ])('%s is found as %s: %s', (typed, word) => {
    expect([isOneOff(typed, word), isOneOff(word, typed)]).toEqual([true, true]);
  });

  it.each([
    ['ano', 'año', 'three letters'],
    ['sol', 'sal', 'three letters'],
    ['espana', 'españa', 'ñ is a letter of its own'],
    ['doge', 'doge', 'the same'],
    ['doge', 'goed', 'two changes'],
    ['doge', 'dogeon', 'two more'],
    ['bicton', 'bitcoin', 'swapped and missing'],
  ])('%s is not found as %s: %s', (typed, word) => {
    expect([isOneOff(typed, word), isOneOff(word, typed)]).toEqual([false, false]);
  });

  it('is matched for every word with one letter removed, inserted or replaced, or two adjacent ones swapped', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ñ', 'n', 'o'), minLength: 5, maxLength: 12 });
    fc.assert(
      fc.property(word, fc.nat(), (text, at) => {
        const i = at % (text.length - 1);
        const changed = [
          text.slice(0, i) + text.slice(i + 1),
          `${text.slice(0, i)}z${text.slice(i)}`,
          `${text.slice(0, i)}z${text.slice(i + 1)}`,
          // Two equal ones give the same word, which has no error.
          ...(text[i] === text[i + 1] ? [] : [`${text.slice(0, i)}${text[i + 1]}${text[i]}${text.slice(i + 2)}`]),
        ];
        for (const other of changed) expect([text, other, isOneOff(text, other)]).toEqual([text, other, true]);
      }),
    );
  });

  it('must match for each term of a search', () => {
    expect(splitIntoTerms('perro (feliz), 2.0')).toEqual(['perro', 'feliz', '2', '0']);
    expect(matchesWithTypos(['perro', 'felis'], 'perro feliz')).toBe(true);
    expect(matchesWithTypos(['perro', 'triste'], 'perro feliz')).toBe(false);
  });
});
