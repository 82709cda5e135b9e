import { describe, expect, it } from 'vitest';
import { nextDigest, quietUntil } from './quiet-hours.policy.ts';

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

  it('end after the given time, and are over at their end, in every zone and at every hour of a year', () => {
    for (const zone of ['Europe/Madrid', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC'])
      for (let hour = 0; hour < 365 * 24; hour += 7) {
        const now = new Date(Date.UTC(2026, 0, 1, hour, 13));
        const over = quietUntil(now, { zone, from: 22 * 60, to: 7 * 60 });
        if (over) expect(over.getTime() - now.getTime()).toBeGreaterThan(0);
        if (over) expect(quietUntil(over, { zone, from: 22 * 60, to: 7 * 60 })).toBeNull();
      }
  });
});

/** What a clock on the wall shows, in minutes of the day. */
function clockOf(zone: string): (at: number) => number {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
  });
  const shown = new Map<number, number>();
  return (at) => {
    const known = shown.get(at);
    if (known !== undefined) return known;
    const [hours = 0, minutes = 0] = clock.format(at).split(':').map(Number);
    shown.set(at, hours * 60 + minutes);
    return hours * 60 + minutes;
  };
}

/** The first minute after a time at which the clock shows a minute of the day, or has passed over it. */
function firstAt(clock: (at: number) => number, after: number, minute: number): string {
  for (let at = after; ; ) {
    const before = clock(at);
    at += 60_000;
    const shown = clock(at);
    const step = (shown - before + 1440) % 1440;
    // A step of most of a day is one backwards.
    const passed = step < 720 && (minute - before + 1439) % 1440 < step;
    if (shown === minute || passed) return new Date(at).toISOString();
  }
}

describe.each([
  // Zone, the minutes in which its clocks go forward and back, and how far.
  ['America/New_York', '2026-03-08T07:00:00Z', '2026-11-01T06:00:00Z', 60],
  ['Europe/Madrid', '2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', 60],
  ['America/St_Johns', '2026-03-08T05:30:00Z', '2026-11-01T04:30:00Z', 60],
  ['Australia/Adelaide', '2026-10-03T16:30:00Z', '2026-04-04T16:30:00Z', 60],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '2026-04-04T15:00:00Z', 30],
  ['Africa/Cairo', '2026-04-23T22:00:00Z', '2026-10-29T21:00:00Z', 60],
  // Offsets of half and of three quarters of an hour that never change.
  ['Asia/Kolkata', '2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', 0],
  ['Asia/Kathmandu', '2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', 0],
] as const)('quiet hours in %s on the days on which its clocks change', (zone, forward, back, by) => {
  const clock = clockOf(zone);

  it('the clocks change at these minutes', () => {
    for (const [at, step] of [
      [forward, by],
      [back, -by],
    ] as const)
      expect((clock(Date.parse(at)) - clock(Date.parse(at) - 60_000) + 1440) % 1440, at).toBe((1 + step + 1440) % 1440);
  });

  it.each([
    [23 * 60, 8 * 60],
    [22 * 60 + 30, 7 * 60 + 15],
    // Ends and begins in the hour that is skipped or comes twice.
    [23 * 60, 2 * 60 + 30],
    [23 * 60, 1 * 60 + 45],
    [23 * 60, 10],
    [2 * 60 + 10, 9 * 60],
    [1 * 60 + 40, 2 * 60 + 20],
  ])('from minute %i to minute %i they end when the clock shows the end, or passes over it', (from, to) => {
    for (const change of [forward, back])
      for (let minutes = -10 * 60; minutes <= 10 * 60; minutes += 15) {
        const now = Date.parse(change) + minutes * 60_000;
        const shown = clock(now);
        const quiet = from < to ? shown >= from && shown < to : shown >= from || shown < to;
        const over = quietUntil(new Date(now), { zone, from, to })?.toISOString() ?? null;
        expect(over, `${new Date(now).toISOString()}`).toBe(quiet ? firstAt(clock, now, to) : null);
      }
  });
});

it('a daily mail is sent at nine in the morning of the time zone', () => {
  expect(nextDigest(new Date('2026-01-10T07:59:00Z'), 'Europe/Madrid').toISOString()).toBe('2026-01-10T08:00:00.000Z');
  expect(nextDigest(new Date('2026-01-10T08:00:00Z'), 'Europe/Madrid').toISOString()).toBe('2026-01-11T08:00:00.000Z');
  expect(nextDigest(new Date('2026-03-28T12:00:00Z'), 'Europe/Madrid').toISOString()).toBe('2026-03-29T07:00:00.000Z');
});
