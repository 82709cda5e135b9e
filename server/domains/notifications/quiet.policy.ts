const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
/** Time of daily mails, as a minute of the reader's day: nine in the morning. */
const DIGEST_AT = 9 * 60;

/** Offset of a time zone from UTC at a given time. Minutes, positive in the east. */
function offsetOf(at: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'));
  return Math.round((wall - Math.floor(at.getTime() / MINUTE) * MINUTE) / MINUTE);
}

/** Minute of the day in a time zone. */
function minuteOfDay(at: Date, zone: string): number {
  const wall = Math.floor(at.getTime() / MINUTE) + offsetOf(at, zone);
  return ((wall % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
}

/** The next time after `at` with this minute of the day in a time zone; in the hour that is skipped in spring, the time after it. */
function nextMinute(at: Date, zone: string, minute: number): Date {
  const offset = offsetOf(at, zone);
  const wall = Math.floor(at.getTime() / MINUTE) + offset;
  const ahead = (((minute - wall) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const guess = new Date((wall + ahead - offset) * MINUTE);
  // The offset may change in between.
  const moved = new Date(guess.getTime() + (offset - offsetOf(guess, zone)) * MINUTE);
  return moved > at ? moved : guess;
}

/** Quiet hours of a member, in minutes of their day; over midnight when `from` is later than `to`. */
export interface QuietHours {
  zone: string;
  from: number;
  to: number;
}

/** End of the quiet hours that contain a given time; null outside of them. */
export function quietUntil(now: Date, { zone, from, to }: QuietHours): Date | null {
  const minute = minuteOfDay(now, zone);
  const quiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  return quiet ? nextMinute(now, zone, to) : null;
}

/** Time of the next daily mail in the reader's time zone. */
export const nextDigest = (after: Date, zone: string): Date => nextMinute(after, zone, DIGEST_AT);
