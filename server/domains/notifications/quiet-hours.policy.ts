const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
/** Time zone of members who chose none. */
export const DEFAULT_TIME_ZONE = 'Europe/Madrid';
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

/** The next time after `at` at which clocks of a time zone show this minute of the day, or skip it in spring. */
function nextMinute(at: Date, zone: string, minute: number): Date {
  const offset = offsetOf(at, zone);
  const wall = Math.floor(at.getTime() / MINUTE) + offset;
  const ahead = (((minute - wall) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const guess = new Date((wall + ahead - offset) * MINUTE);
  if (minuteOfDay(guess, zone) === minute) return guess;
  // The offset changes in between.
  const moved = new Date(guess.getTime() + (offset - offsetOf(guess, zone)) * MINUTE);
  if (moved > at && minuteOfDay(moved, zone) === minute) return moved;
  let skipped = Math.max(moved.getTime(), Math.floor(at.getTime() / MINUTE) * MINUTE);
  while (offsetOf(new Date(skipped), zone) === offset) skipped += MINUTE;
  return new Date(skipped);
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
