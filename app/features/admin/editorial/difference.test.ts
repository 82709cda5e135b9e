import { describe, expect, it } from 'vitest';
import { difference } from './difference.ts';

const shown = (before: string, after: string) =>
  difference(before, after)
    .map(({ kind, text }) => ({ same: text, removed: `[-${text}-]`, added: `[+${text}+]` })[kind])
    .join('');
const side = (before: string, after: string, without: 'added' | 'removed') =>
  difference(before, after)
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join('');

describe('the difference of two texts', () => {
  it('is shown word by word', () => {
    expect(shown('Sale el lunes a las diez', 'Sale el martes a las diez')).toBe(
      'Sale el [-lunes-][+martes+] a las diez',
    );
    expect(shown('', 'Nuevo')).toBe('[+Nuevo+]');
    expect(shown('Viejo', '')).toBe('[-Viejo-]');
    expect(shown('Igual', 'Igual')).toBe('Igual');
  });

  it('contains both texts in full, also long ones, which are compared by paragraph or not at all', () => {
    const lines = (count: number, odd: string) =>
      Array.from({ length: count }, (_, i) => `${odd}${i} palabra otra`).join('\n');
    for (const [before, after] of [
      ['a b c', 'c b a'],
      ['una\n\ndos', 'una\ndos\n'],
      [lines(600, 'a'), lines(600, 'b')],
      [lines(3_000, 'a'), lines(3_000, 'b')],
    ] as const) {
      expect(side(before, after, 'added')).toBe(before);
      expect(side(before, after, 'removed')).toBe(after);
    }
  });
});
