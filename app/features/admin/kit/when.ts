import type { Locale } from '#app/lib/format.ts';

export { ago } from '#app/lib/ago.ts';

const TAG = { es: 'es-ES', en: 'en-GB' } as const;

/** A moment in the reader's own time: '21 nov 2026, 14:05'. For screens that are not rendered on the server. */
export const when = (iso: string, locale: Locale): string =>
  new Intl.DateTimeFormat(TAG[locale], { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));

/** The same with seconds and zone, for hovering. */
export const exactly = (iso: string, locale: Locale): string =>
  new Intl.DateTimeFormat(TAG[locale], { dateStyle: 'long', timeStyle: 'long' }).format(new Date(iso));
