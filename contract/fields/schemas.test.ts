import { describe, expect, it } from 'vitest';
import { explainForm } from '../admin/forms/settlement.ts';
import { closeForm } from '../admin/forms/token-requests.ts';
import { removalReason } from '../domains/forum.ts';
import { nameOf, requiredText } from './schemas.ts';

describe('a required text', () => {
  it.each([
    ['nothing', ''],
    ['blanks', ' \t\n '],
    ['zero-width signs', '\u200b\u2060\ufeff'],
    ['joiners by turns', '\u200c\u200d\u200c'],
    ['directions', '\u202e\u2066'],
    ['letters without a shape', '\u3164\uffa0'],
    ['the Braille blank', '\u2800\u2800\u2800'],
    ['control characters', '\u0000\u007f\u0085'],
  ])('is refused when it has only %s', (_name, typed) => {
    for (const schema of [requiredText(1, 500), nameOf(1, 60), removalReason, explainForm.shape.reason])
      expect(schema.safeParse(typed).success).toBe(false);
  });

  it('is counted as it is stored: without invisible characters, and in NFC', () => {
    expect(requiredText(3, 500).safeParse('a\u200b\u200b').success).toBe(false);
    expect(requiredText(1, 500).safeParse('\u0958'.repeat(500)).success).toBe(false);
    expect(requiredText(1, 5).parse(`${'\u200b'.repeat(9)}abcde`)).toBe('abcde');
    expect(nameOf(1, 1).parse('e\u0301')).toBe('é');
  });

  it('keeps what can be read, line breaks only where there may be some', () => {
    expect(requiredText(1, 50).parse(' Uno\r\ndos\u202e ')).toBe('Uno\ndos');
    expect(nameOf(1, 50).parse(' Uno\r\ndos  ')).toBe('Uno dos');
    for (const typed of ['👍🏽', '?', 'ñ', '٣', '👩‍👩‍👧']) expect(requiredText(1, 50).parse(typed)).toBe(typed);
  });
});

it('an empty required text does not keep the reasons of other fields from being named', () => {
  const { error } = closeForm.safeParse({ as: 'delivered', note: ' ' });
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['note', 'address']);
});
