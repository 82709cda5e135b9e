import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastUtcDays, nextUtcDay, utcDay } from './clock.ts';

describe('the UTC day [AMB-114]', () => {
  it('begins at 00:00 UTC in every time zone of the machine', () => {
    expect(utcDay(new Date('2026-01-10T23:59:59.999Z'))).toBe('2026-01-10');
    expect(utcDay(new Date('2026-01-11T00:00:00.000Z'))).toBe('2026-01-11');
    expect(utcDay(new Date('2026-01-11T01:00:00.000+05:00'))).toBe('2026-01-10');
  });

  it('is followed by the next across months, years and leap days', () => {
    expect(nextUtcDay(new Date('2026-12-31T12:00:00Z')).toISOString()).toBe('2027-01-01T00:00:00.000Z');
    expect(nextUtcDay(new Date('2028-02-28T23:59:59Z')).toISOString()).toBe('2028-02-29T00:00:00.000Z');
    expect(nextUtcDay(new Date('2026-03-01T00:00:00Z')).toISOString()).toBe('2026-03-02T00:00:00.000Z');
  });

  it('is listed without gaps, today last', () => {
    expect(lastUtcDays(new Date('2026-03-02T00:00:00Z'), 4)).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
    ]);
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        fc.integer({ min: 1, max: 60 }),
        (at, count) => {
          const days = lastUtcDays(at, count);
          expect(days).toHaveLength(count);
          expect(days.at(-1)).toBe(utcDay(at));
          for (const [i, day] of days.slice(1).entries()) expect(utcDay(nextUtcDay(new Date(days[i] ?? '')))).toBe(day);
        },
      ),
    );
  });
});
