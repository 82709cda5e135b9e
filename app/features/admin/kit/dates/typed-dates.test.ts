import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSkipped, otherOf, parseDay, parseMoment, typedDay, typedMoment } from './typed-dates.ts';

const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'Europe/Madrid';
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

describe('a typed day', () => {
  it.each([
    ['23/11/2026', 'es', '2026-11-23'],
    ['11/23/2026', 'en', '2026-11-23'],
    ['5/1/2026', 'es', '2026-01-05'],
    ['5/1/2026', 'en', '2026-05-01'],
    ['23.11.2026', 'es', '2026-11-23'],
    [' 23-11-2026 ', 'es', '2026-11-23'],
    ['2026-11-23', 'es', '2026-11-23'],
    ['29/02/2028', 'es', '2028-02-29'],
  ] as const)('%s in %s is %s', (typed, locale, iso) => expect(parseDay(typed, locale)).toBe(iso));

  it.each([
    ['23/11/2026', 'en'],
    ['11/23/2026', 'es'],
    ['29/02/2027', 'es'],
    ['31/04/2026', 'es'],
    ['00/01/2026', 'es'],
    ['1/1/26', 'es'],
    ['1/1/0026', 'es'],
    ['1/1/2200', 'es'],
    ['', 'es'],
    ['mañana', 'es'],
    ['2026-13-01', 'en'],
  ] as const)('%s in %s is invalid', (typed, locale) => expect(parseDay(typed, locale)).toBeNull());
});

describe('a typed date and time', () => {
  it.each([
    ['23/11/2026 14:05', 'es', '2026-11-23T13:05:00.000Z'],
    ['11/23/2026 14:05', 'en', '2026-11-23T13:05:00.000Z'],
    ['1/7/2026, 0:30', 'es', '2026-06-30T22:30:00.000Z'],
    ['2026-11-23T14:05', 'en', '2026-11-23T13:05:00.000Z'],
  ] as const)('%s in %s, read in Madrid, is %s', (typed, locale, iso) => expect(parseMoment(typed, locale)).toBe(iso));

  it.each([
    '23/11/2026',
    '23/11/2026 24:00',
    '23/11/2026 10:60',
    '23/11/2026 10',
    '23/11/2026 10:00 pm',
    '29/03/2026 02:30',
  ])('%s is invalid', (typed) => expect(parseMoment(typed, 'es')).toBeNull());
});

describe('a daylight saving change', () => {
  it('skips an hour in March; a time in that hour is distinguished from an invalid one', () => {
    expect(isSkipped('29/03/2026 02:00', 'es')).toBe(true);
    expect(isSkipped('03/29/2026 02:59', 'en')).toBe(true);
    for (const typed of ['29/03/2026 01:59', '29/03/2026 03:00', '29/03/2026 24:00', '30/02/2026 02:30', '29/03/2026'])
      expect(isSkipped(typed, 'es'), typed).toBe(false);
  });

  it('repeats an hour in October: a typed time is its first occurrence, and otherOf returns the second', () => {
    const first = parseMoment('25/10/2026 02:30', 'es') ?? '';
    expect(first).toBe('2026-10-25T00:30:00.000Z');
    expect(otherOf(first)).toEqual({ iso: '2026-10-25T01:30:00.000Z', second: false });
    expect(otherOf('2026-10-25T01:30:00.000Z')).toEqual({ iso: first, second: true });
    expect(typedMoment('2026-10-25T01:30:00.000Z', 'es')).toBe(typedMoment(first, 'es'));
    for (const none of ['2026-10-24T23:59:00.000Z', '2026-10-25T02:00:00.000Z', '2026-03-29T01:00:00.000Z'])
      expect(otherOf(none), none).toBeNull();
  });
});

it('a formatted day or time is parsed as the same value', () => {
  for (const locale of ['es', 'en'] as const) {
    expect(parseDay(typedDay('2026-03-09', locale), locale)).toBe('2026-03-09');
    expect(parseMoment(typedMoment('2026-07-09T03:07:00.000Z', locale), locale)).toBe('2026-07-09T03:07:00.000Z');
  }
  expect(typedDay('2026-03-09', 'es')).toBe('09/03/2026');
  expect(typedDay('2026-03-09', 'en')).toBe('03/09/2026');
  expect(typedMoment('2026-07-09T03:07:00.000Z', 'en')).toBe('07/09/2026 05:07');
});
