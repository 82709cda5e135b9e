const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
/** Daily mails are sent from this minute of the reader's day on: nine in the morning. */
const DIGEST_AT = 9 * 60;

/** How far a zone's clock is from UTC at a moment. Minutes, positive in the east. */
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

/** Minute of the day that a zone's clocks show. */
function minuteOfDay(at: Date, zone: string): number {
  const wall = Math.floor(at.getTime() / MINUTE) + offsetOf(at, zone);
  return ((wall % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
}

/** The next moment after `at` at which a zone's clocks show a minute of the day; in the hour that spring leaves out, what follows it. */
function nextMinute(at: Date, zone: string, minute: number): Date {
  const offset = offsetOf(at, zone);
  const wall = Math.floor(at.getTime() / MINUTE) + offset;
  const ahead = (((minute - wall) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const guess = new Date((wall + ahead - offset) * MINUTE);
  // Clocks may be moved on the way there.
  const moved = new Date(guess.getTime() + (offset - offsetOf(guess, zone)) * MINUTE);
  return moved > at ? moved : guess;
}

/** Hours in which somebody wants to be left alone, in minutes of their day; over midnight when `from` is later than `to`. */
export interface QuietHours {
  zone: string;
  from: number;
  to: number;
}

/** When the quiet hours that a moment lies in are over; null outside of them. */
export function quietUntil(now: Date, { zone, from, to }: QuietHours): Date | null {
  const minute = minuteOfDay(now, zone);
  const quiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  return quiet ? nextMinute(now, zone, to) : null;
}

/** When the daily mail after a moment is sent, by the clock of the reader's zone. */
export const nextDigest = (after: Date, zone: string): Date => nextMinute(after, zone, DIGEST_AT);
