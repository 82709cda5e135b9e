/** An amount of a coin with all of its digits, without its unit: 0,25 or 0.25; never 1e-7. */
export const coins = (amount: number | string, locale: Locale): string =>
  // As the API writes it, text: a number of so many digits would lose the last of them.
  decimals(amount as number | Intl.StringNumericLiteral, locale, 0, 20);

/**
 * A figure as people read it: 1.50K, 2.34M, 5.00B in English, 1,5 K, 2,34 M, 5 B in Spanish; below a thousand plain with up
 * to 2 decimals.
 */
export function compact(value: number, locale: Locale): string {
  const plain = value.toFixed(2);
  if (Math.abs(Number(plain)) < 1e3) return decimals(Number(plain) || 0, locale, 0, 2);
  const short = (count: number, unit: string) =>
    locale === 'es' ? `${decimals(count, locale, 0, 2)}\u00a0${unit}` : `${decimals(count, locale, 2, 2)}${unit}`;
  // What rounds to a thousand of a unit is one of the next.
  for (const [unit, size] of [
    ['K', 1e3],
    ['M', 1e6],
  ] as const) {
    const shown = Number((value / size).toFixed(2));
    if (Math.abs(shown) < 1e3) return short(shown, unit);
  }
  return short(Number((value / 1e9).toFixed(2)), 'B');
}

/** What the documents show where there is no amount. */
const NO_AMOUNT = '$0.00';

/**
 * A token's price in US dollars: 6 decimals below one cent, otherwise 4; '$0.00' when there is none. What 6 decimals would
 * show as nothing has as many as it takes for two digits.
 */
export function price(value: number | null | undefined, locale: Locale): string {
  if (!value) return NO_AMOUNT;
  const digits = value < 1e-6 ? Math.min(100, 1 - Math.floor(Math.log10(value))) : value < 0.01 ? 6 : 4;
  return `$${decimals(value, locale, digits, digits)}`;
}

/** A change as a share: +12,4 % or +12.4%; what rounds to nothing has no sign. */
export const change = (share: number, locale: Locale): string =>
  stored(Intl.NumberFormat, locale, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: Math.abs(share) < 1 ? 1 : 0,
  }).format(share);

/** An amount of US dollars; '$0.00' when there is none. */
export const dollars = (value: number | null | undefined, locale: Locale): string =>
  value ? `$${compact(value, locale)}` : NO_AMOUNT;

const SCALE: Record<string, number> = { k: 1e3, m: 1e6, b: 1e9 };

/** Reads '$12.1k', '1,250,000' or '3.4M'; null for any other text. */
export function parseAmount(text: string): number | null {
  const match = /^\s*\$?\s*(\d[\d,]*(?:\.\d+)?)\s*([kmb])?\s*$/i.exec(text);
  if (!match?.[1]) return null;
  return Number(match[1].replaceAll(',', '')) * (SCALE[match[2]?.toLowerCase() ?? ''] ?? 1);
}

/** A market cap given as a number or as text; text that is no amount is shown as it is. */
export function marketCap(value: number | string | null | undefined, locale: Locale): string {
  if (value === null || value === undefined || value === '') return NO_AMOUNT;
  const amount = typeof value === 'number' ? value : parseAmount(value);
  return amount === null ? String(value) : dollars(amount, locale);
}

/** A count without unit; `absent` when there is none. */
export const count = (value: number | null | undefined, absent: string, locale: Locale): string =>
  value === null || value === undefined ? absent : compact(value, locale);

export type Locale = 'es' | 'en';
/** English writes the month first, as the documents do. */
export const TAG = { es: 'es-ES', en: 'en-US' } as const;

// A formatter costs a phone a third of a millisecond to make, and a board of notes shows hundreds of moments.
const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();
function stored<T extends Intl.NumberFormat | Intl.DateTimeFormat, O>(
  Format: new (tag: string, options: O) => T,
  locale: Locale,
  options: O,
): T {
  const key = Format.name + locale + JSON.stringify(options);
  const format = (made.get(key) as T | undefined) ?? new Format(TAG[locale], options);
  made.set(key, format);
  return format;
}

/** A time to wait in the largest whole unit, rounded up: 40 segundos, 12 minutos, 2 horas. */
export function duration(seconds: number, locale: Locale): string {
  const [unit, size] =
    seconds < 60 ? (['second', 1] as const) : seconds <= 5_400 ? (['minute', 60] as const) : (['hour', 3_600] as const);
  const options: Intl.NumberFormatOptions = { style: 'unit', unit, unitDisplay: 'long' };
  return stored(Intl.NumberFormat, locale, options).format(Math.ceil(seconds / size));
}

/** With the language's separators, also between four digits: 1.234,50 or 1,234.50. @param least @param most decimals. */
const decimals = (
  value: number | bigint | Intl.StringNumericLiteral,
  locale: Locale,
  least: number,
  most: number,
): string =>
  stored(Intl.NumberFormat, locale, {
    useGrouping: 'always',
    minimumFractionDigits: least,
    maximumFractionDigits: most,
  }).format(value);

/** Whole numbers with the language's separators: 12.345 or 12,345. */
export const whole = (value: number | bigint, locale: Locale): string => decimals(value, locale, 0, 0);

/** Money with its cents, without its unit: 1.500,00 or 1,500.00. */
export const cents = (value: number, locale: Locale): string => decimals(value, locale, 2, 2);

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const HOURS = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
/** Given to both ends where the server, which does not know the reader's zone, writes it first. */
type Zone = { timeZone?: 'UTC' };

/** A calendar day as people write it, in UTC so that server and browser agree: '21 nov 2026' or 'Nov 21, 2026'. */
export const day = (iso: string, locale: Locale, zone: Zone = { timeZone: 'UTC' }): string =>
  stored(Intl.DateTimeFormat, locale, { ...DAY, ...zone })
    .format(new Date(iso))
    .replace(/\.$/, '');

/** A moment in the reader's own time: '21 nov 2026 a las 14:05' or 'Nov 21, 2026 at 14:05' (AMB-209). */
export const when = (iso: string, locale: Locale, zone: Zone = {}): string =>
  `${day(iso, locale, zone)} ${locale === 'es' ? 'a las' : 'at'} ${stored(Intl.DateTimeFormat, locale, { ...HOURS, ...zone }).format(new Date(iso))}`;

/** The same with seconds and zone, for hovering. */
export const exactly = (iso: string, locale: Locale, zone: Zone = {}): string =>
  stored(Intl.DateTimeFormat, locale, { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23', ...zone }).format(
    new Date(iso),
  );

/** The short name of the zone that a moment is written in: CET, GMT-3. */
export const zoneName = (iso: string, locale: Locale, zone: Zone = {}): string =>
  stored(Intl.DateTimeFormat, locale, { ...HOURS, timeZoneName: 'short', ...zone })
    .formatToParts(new Date(iso))
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** Parts of the time left until an instant; null once it has passed. */
export function timeLeft(until: string, nowMs: number): { days: number; hours: number; minutes: number } | null {
  const minutes = Math.floor((new Date(until).getTime() - nowMs) / 60_000);
  if (minutes < 0 || new Date(until).getTime() <= nowMs) return null;
  return { days: Math.floor(minutes / 1_440), hours: Math.floor((minutes % 1_440) / 60), minutes: minutes % 60 };
}
