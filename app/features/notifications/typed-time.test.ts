import { describe, expect, it } from 'vitest';
import { parseTime, typedTime } from './typed-time.ts';

describe('a typed time of day', () => {
  it.each([
    ['23:00', 23 * 60],
    ['23:05', 23 * 60 + 5],
    ['00:00', 0],
    ['8:30', 8 * 60 + 30],
    ['8.30', 8 * 60 + 30],
    ['8h30', 8 * 60 + 30],
    ['0830', 8 * 60 + 30],
    ['830', 8 * 60 + 30],
    ['8', 8 * 60],
    ['12', 12 * 60],
    ['22 h', 22 * 60],
    [' 23:59 ', 24 * 60 - 1],
    ['11 pm', 23 * 60],
    ['11:15 p. m.', 23 * 60 + 15],
    ['12 am', 0],
    ['12:30 PM', 12 * 60 + 30],
  ])('%s is minute %i', (typed, minutes) => expect(parseTime(typed)).toBe(minutes));

  it.each(['', '24:00', '8:60', '8:5', '860', '13 pm', '0 am', 'noon', '1:2:3', '-1', '12345'])(
    '%s is invalid',
    (typed) => expect(parseTime(typed)).toBeNull(),
  );

  it('is parsed as the same minute when it was formatted', () => {
    for (let minute = 0; minute < 24 * 60; minute++) expect(parseTime(typedTime(minute))).toBe(minute);
  });
});
