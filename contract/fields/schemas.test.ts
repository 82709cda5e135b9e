import { describe, expect, it } from 'vitest';
import { explainForm } from '../admin/forms/settlement.ts';
import { closeForm } from '../admin/forms/token-requests.ts';
import { removalReason } from '../domains/forum.ts';
import { nameOf, requiredText } from './schemas.ts';

describe('a required text', () => {
  it.each([
    ['an empty string', ''],
    ['whitespace', ' \t\n '],
    ['zero-width characters', '\u200b\u2060\ufeff'],
    ['alternating joiners', '\u200c\u200d\u200c'],
    ['direction marks', '\u202e\u2066'],
    ['letters without a glyph', '\u3164\uffa0'],
    ['the Braille blank', '\u2800\u2800\u2800'],
    ['control characters', '\u0000\u007f\u0085'],
  ])('is refused as empty: %s', (_name, typed) => {
    for (const schema of [requiredText(1, 500), nameOf(1, 60), removalReason, explainForm.shape.reason])
      expect(schema.safeParse(typed).success).toBe(false);
  });

  it('has its length measured as it is stored: without invisible characters, and in NFC', () => {
    expect(requiredText(3, 500).safeParse('a\u200b\u200b').success).toBe(false);
    expect(requiredText(1, 500).safeParse('\u0958'.repeat(500)).success).toBe(false);
    expect(requiredText(1, 5).parse(`${'\u200b'.repeat(9)}abcde`)).toBe('abcde');
    expect(nameOf(1, 1).parse('e\u0301')).toBe('é');
  });

  it('keeps visible characters, and line breaks only where the schema allows them', () => {
    expect(requiredText(1, 50).parse(' Uno\r\ndos\u202e ')).toBe('Uno\ndos');
    expect(nameOf(1, 50).parse(' Uno\r\ndos  ')).toBe('Uno dos');
    for (const typed of ['👍🏽', '?', 'ñ', '٣', '👩‍👩‍👧']) expect(requiredText(1, 50).parse(typed)).toBe(typed);
  });
});

it('an empty required text does not hide the errors of other fields', () => {
  const { error } = closeForm.safeParse({ as: 'delivered', note: ' ' });
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['note', 'address']);
});
