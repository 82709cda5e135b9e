import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isAmbiguous } from '#app/lib/format/coins.ts';
import { candidateForm } from '#contract/admin/forms/candidates.ts';
import { closeForm } from '#contract/admin/forms/token-requests.ts';
import { userForm } from '#contract/admin/forms/users.ts';
import { lineOrNull } from '#contract/fields/schemas.ts';
import { maxLengthOf, readForm, refusedFieldMessages } from './form-schema.ts';

const schema = z.strictObject({
  name: z.string().trim().min(2).max(5),
  note: lineOrNull(9),
  days: z.int().min(1).max(90).nullable(),
  kind: z.enum(['a', 'b']).nullable(),
  at: z.iso.datetime().nullable(),
  on: z.boolean(),
});
const typed = { name: 'Luna', note: ' ', days: '', kind: '', at: '', on: true };
const messages = {
  name: { missing: 'none', short: 'few', long: 'many', invalid: 'wrong' },
  days: { low: 'low', invalid: 'no' },
};
const read = (change: object) => readForm(schema, { ...typed, ...change }, messages, 'otherwise');

describe('the values typed in a form', () => {
  it('are converted to the types of the schema: numbers, and null for empty fields', () => {
    expect(read({}).input).toEqual({ name: 'Luna', note: null, days: null, kind: null, at: null, on: true });
    expect(read({ days: ' 7 ', kind: 'b', note: ' x ', other: 'left out' }).input).toMatchObject({
      days: 7,
      kind: 'b',
      note: 'x',
    });
  });

  it.each([
    ['name', ' ', 'none'],
    ['name', 'x', 'few'],
    ['name', 'x'.repeat(6), 'many'],
    ['days', '0', 'low'],
    ['days', '91', 'no'],
    ['days', '1.5', 'no'],
    ['days', 'seven', 'no'],
    ['kind', 'c', 'otherwise'],
    ['at', 'tomorrow', 'otherwise'],
  ])('are refused with the message of the error: %s %j', (name, value, message) => {
    expect(read({ [name]: value })).toEqual({ input: undefined, errors: { [name]: message } });
  });

  it('may have a decimal comma, and numbers up to the limit of the database', () => {
    const figure = (price: string) =>
      readForm(z.object({ price: candidateForm.shape.price }), { price }, {}, 'wrong').input?.price;
    expect(['1,5', '2e3', '', '0.1'].map(figure)).toEqual([1.5, 2000, null, 0.1]);
    expect(['-1', '1,2,3', '1e31', '0x10'].map(figure)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('are refused when a separator could be a decimal or a thousands separator, also in whole numbers', () => {
    const figures = z.object({ price: candidateForm.shape.price, holdersCount: candidateForm.shape.holdersCount });
    const read = (locale: 'es' | 'en', typed: { price: string; holdersCount: string }) =>
      readForm(figures, typed, {}, 'which?', {}, undefined, (_, text) => isAmbiguous(text, locale));
    expect(read('es', { price: '250.000', holdersCount: '1.000' }).errors).toEqual({
      price: 'which?',
      holdersCount: 'which?',
    });
    expect(read('en', { price: '250,000', holdersCount: '1,000' }).errors).toEqual({
      price: 'which?',
      holdersCount: 'which?',
    });
    expect(read('es', { price: '250,125', holdersCount: '1000' }).input).toEqual({
      price: 250.125,
      holdersCount: 1000,
    });
    expect(read('en', { price: '250.125', holdersCount: '' }).input).toEqual({ price: 250.125, holdersCount: null });
  });

  it('are checked together when one field requires another', () => {
    const close = (change: object) =>
      readForm(closeForm, { as: 'delivered', note: 'Done', address: ' ', ...change }, { address: 'where?' }, 'else');
    expect(close({}).errors).toEqual({ address: 'where?' });
    expect(close({ as: 'cancelled' }).input).toEqual({ as: 'cancelled', note: 'Done', address: '', refund: 'all' });
  });
});

it('the maximum length of a field is that of its schema', () => {
  expect(['name', 'note', 'days', 'kind', 'on', 'nothing'].map((name) => maxLengthOf(schema, name))).toEqual([
    5,
    9,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(maxLengthOf(userForm, 'email')).toBe(254);
});

it('a field can have its own message for values that only the server refuses', () => {
  expect(refusedFieldMessages({ a: 'wrong', b: { invalid: 'wrong', refused: 'no' }, c: { invalid: 'wrong' } })).toEqual(
    {
      a: 'wrong',
      b: 'no',
      c: 'wrong',
    },
  );
});

it('a time skipped by a daylight saving change has its own message instead of that of its field', () => {
  const wrong = (at: string, name = 'x') =>
    readForm(schema, { ...typed, at, name }, { at: 'Write a day and an hour' }, 'otherwise', {}, (moment) =>
      moment === '28/03/2027 02:30' ? 'skipped' : undefined,
    ).errors;
  expect(wrong('28/03/2027 02:30')).toEqual({ at: 'skipped', name: 'otherwise' });
  expect(wrong('28/03', '28/03/2027 02:30')).toEqual({ at: 'Write a day and an hour', name: 'otherwise' });
});
