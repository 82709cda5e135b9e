import type { Locale } from '#app/lib/format.ts';

const TAG = { es: 'es-ES', en: 'en-GB' } as const;

/** A moment in the reader's own time: '21 nov 2026, 14:05'. For screens that are not rendered on the server. */
export const when = (iso: string, locale: Locale): string =>
  new Intl.DateTimeFormat(TAG[locale], { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));

/** The same with seconds and zone, for hovering. */
export const exactly = (iso: string, locale: Locale): string =>
  new Intl.DateTimeFormat(TAG[locale], { dateStyle: 'long', timeStyle: 'long' }).format(new Date(iso));

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How long ago: 'hace 3 días'. */
export function ago(iso: string, nowMs: number, locale: Locale): string {
  const seconds = Math.max(0, (nowMs - Date.parse(iso)) / 1_000);
  const [unit, size] = STEPS.find(([, least]) => seconds >= least) ?? ['minute', 60];
  return new Intl.RelativeTimeFormat(TAG[locale], { numeric: 'auto' }).format(-Math.floor(seconds / size), unit);
}
