import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText } from './clean-text.ts';

describe('the sanitizing of a text', () => {
  it.each([
    ['a letter and its accent that an invisible character separates', 'e\u200b\u0301', 'é'],
    ['a letter and its accent that a control character separates', 'e\u0000\u0301', 'é'],
    ['a line break that a control character separates', 'a\r\u0000\nb', 'a\nb'],
    ['a line break with several carriage returns', 'a\r\r\nb', 'a\nb'],
    ['joiners that an invisible character separates', 'a\u200d\u2060\u200db', 'a\u200db'],
  ])('joins %s', (_, value, expected) => {
    expect(cleanText(value, 'text')).toBe(expected);
  });

  it('has the same result when it is repeated, in Unicode NFC (fuzz)', () => {
    const pieces = [
      'e',
      '\u0301',
      '\u0300',
      '\u200b',
      '\u200d',
      '\u202e',
      '\u0000',
      '\r',
      '\n',
      ' ',
      '\ud800',
      '\ufb2c',
    ];
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((some) => some.join('')),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('line' as const, 'text' as const), (value, kind) => {
        const once = cleanText(value, kind);
        expect(cleanText(once, kind)).toBe(once);
        expect(once.normalize('NFC')).toBe(once);
      }),
    );
  });
});
