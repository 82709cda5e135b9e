import { type Locale, TAG } from '#app/lib/format/format.ts';

// Formats of typed dates by language: day first in Spanish, month first in English; 24-hour clock. ISO formats (2026-11-23,
// 2026-11-23T14:05) are accepted in both.

const OWN_DAY = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;
const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{1,2}):(\d{2})$/;
/** A year outside of this range is a typing error. */
const YEARS = { first: 1970, last: 2199 };

const padded = (value: number, length = 2) => String(value).padStart(length, '0');

/** Year, month (1 to 12) and day of a typed date; null when the date does not exist in the calendar. */
function partsOf(typed: string, locale: Locale): [number, number, number] | null {
  const iso = ISO_DAY.exec(typed);
  const own = OWN_DAY.exec(typed);
  const [year, month, day] = iso
    ? [iso[1], iso[2], iso[3]]
    : locale === 'es'
      ? [own?.[3], own?.[2], own?.[1]]
      : [own?.[3], own?.[1], own?.[2]];
  const parts: [number, number, number] = [Number(year), Number(month), Number(day)];
  const at = new Date(Date.UTC(parts[0], parts[1] - 1, parts[2]));
  const isDay = at.getUTCFullYear() === parts[0] && at.getUTCMonth() === parts[1] - 1 && at.getUTCDate() === parts[2];
  return isDay && parts[0] >= YEARS.first && parts[0] <= YEARS.last ? parts : null;
}

/** A typed day as 2026-11-23; null when it is not a valid day. */
export function parseDay(typed: string, locale: Locale): string | null {
  const parts = partsOf(typed.trim(), locale);
  return parts && `${padded(parts[0], 4)}-${padded(parts[1])}-${padded(parts[2])}`;
}

/** A typed day and time of the reader's time zone; `skipped` when the time zone skips that time (the start of summer time). */
function timeOf(typed: string, locale: Locale): { at: Date; skipped: boolean } | null {
  const [day = '', time = '', ...rest] = typed.trim().split(/[\s,T]+/);
  const parts = partsOf(day, locale);
  const clock = TIME.exec(time);
  if (!parts || !clock || rest.length > 0) return null;
  const [hours, minutes] = [Number(clock[1]), Number(clock[2])];
  if (hours > 23 || minutes > 59) return null;
  const at = new Date(parts[0], parts[1] - 1, parts[2], hours, minutes);
  return { at, skipped: at.getHours() !== hours || at.getMinutes() !== minutes };
}

/**
 * A typed day and time of the reader's time zone, in the format of the API; null when it is not valid. A time that the time zone skips
 * is not valid. Of a time that it has twice (the end of summer time) this is the first; `otherOf` gives the second.
 */
export function parseMoment(typed: string, locale: Locale): string | null {
  const time = timeOf(typed, locale);
  return time && !time.skipped ? time.at.toISOString() : null;
}

/** True for a day and time that the reader's time zone skips. */
export const isSkipped = (typed: string, locale: Locale): boolean => timeOf(typed, locale)?.skipped === true;

/** The moment with the same day and time when the reader's time zone has these twice, and which of the two the given one is; else null. */
export function otherOf(iso: string): { iso: string; second: boolean } | null {
  const at = new Date(iso);
  // Clocks are changed by half an hour or an hour.
  for (const minutes of [-60, 60, -30, 30]) {
    const other = new Date(at.getTime() + minutes * 60_000);
    if (other.getHours() === at.getHours() && other.getMinutes() === at.getMinutes())
      return { iso: other.toISOString(), second: minutes < 0 };
  }
  return null;
}

const DIGITS = { day: '2-digit', month: '2-digit', year: 'numeric' } as const;

/** Formats 2026-11-23 for typing: 23/11/2026 or 11/23/2026. */
export const typedDay = (iso: string, locale: Locale): string =>
  new Intl.DateTimeFormat(TAG[locale], { ...DIGITS, timeZone: 'UTC' }).format(new Date(`${iso}T00:00:00Z`));

/** Formats a time for typing, in the reader's time zone: 23/11/2026 14:05 or 11/23/2026 14:05. */
export function typedMoment(iso: string, locale: Locale): string {
  const at = new Date(iso);
  return `${new Intl.DateTimeFormat(TAG[locale], DIGITS).format(at)} ${padded(at.getHours())}:${padded(at.getMinutes())}`;
}
