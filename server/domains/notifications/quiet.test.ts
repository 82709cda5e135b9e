import { describe, expect, it } from 'vitest';
import { nextDigest, quietUntil } from './quiet.policy.ts';

const until = (now: string, zone: string, from: number, to: number) =>
  quietUntil(new Date(now), { zone, from: from * 60, to: to * 60 })?.toISOString() ?? null;

describe('quiet hours', () => {
  it.each([
    // Over midnight, in winter one hour ahead of UTC, in summer two.
    ['2026-01-10T22:30:00.000Z', 'Europe/Madrid', 23, 8, '2026-01-11T07:00:00.000Z'],
    ['2026-01-11T06:59:59.999Z', 'Europe/Madrid', 23, 8, '2026-01-11T07:00:00.000Z'],
    ['2026-01-11T07:00:00.000Z', 'Europe/Madrid', 23, 8, null],
    ['2026-01-10T21:59:00.000Z', 'Europe/Madrid', 23, 8, null],
    ['2026-07-10T21:30:00.000Z', 'Europe/Madrid', 23, 8, '2026-07-11T06:00:00.000Z'],
    // Within a day, behind UTC and by half an hour.
    ['2026-03-01T19:00:00.000Z', 'America/Mexico_City', 12, 14, '2026-03-01T20:00:00.000Z'],
    ['2026-03-01T08:00:00.000Z', 'Asia/Kolkata', 13, 15, '2026-03-01T09:30:00.000Z'],
    // The night in which clocks go forward, and the one in which they go back.
    ['2026-03-28T23:30:00.000Z', 'Europe/Madrid', 23, 8, '2026-03-29T06:00:00.000Z'],
    ['2026-10-24T22:30:00.000Z', 'Europe/Madrid', 23, 8, '2026-10-25T07:00:00.000Z'],
  ] as const)('at %s in %s, from %i to %i: %s', (now, zone, from, to, over) => {
    expect(until(now, zone, from, to)).toBe(over);
  });

  it('end later than they are asked about, in every zone and at every hour of a year', () => {
    for (const zone of ['Europe/Madrid', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC'])
      for (let hour = 0; hour < 365 * 24; hour += 7) {
        const now = new Date(Date.UTC(2026, 0, 1, hour, 13));
        const over = quietUntil(now, { zone, from: 22 * 60, to: 7 * 60 });
        if (over) expect(over.getTime() - now.getTime()).toBeGreaterThan(0);
        if (over) expect(quietUntil(over, { zone, from: 22 * 60, to: 7 * 60 })).toBeNull();
      }
  });
});

it('a daily mail goes at nine in the morning of the zone', () => {
  expect(nextDigest(new Date('2026-01-10T07:59:00Z'), 'Europe/Madrid').toISOString()).toBe('2026-01-10T08:00:00.000Z');
  expect(nextDigest(new Date('2026-01-10T08:00:00Z'), 'Europe/Madrid').toISOString()).toBe('2026-01-11T08:00:00.000Z');
  expect(nextDigest(new Date('2026-03-28T12:00:00Z'), 'Europe/Madrid').toISOString()).toBe('2026-03-29T07:00:00.000Z');
});
