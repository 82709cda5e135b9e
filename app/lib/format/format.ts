import { cachedFormat, compact, decimals, type Locale, marketCap, NO_AMOUNT } from '#contract/text/figures.ts';

export { dollars, type Locale, marketCap, percent, TAG } from '#contract/text/figures.ts';

/** An amount of a currency with all of its digits, without its unit: 0,25 or 0.25; never 1e-7. */
export const coins = (amount: number | string, locale: Locale): string =>
  // A string, as in the API: a number with so many digits would lose the last of them.
  decimals(amount as number | Intl.StringNumericLiteral, locale, 0, 20);

/**
 * A token's price in US dollars: 6 decimals below one cent, otherwise 4; '$0.00' when there is none. A price that 6 decimals would
 * show as zero has as many as two significant digits need.
 */
export function price(value: number | null | undefined, locale: Locale): string {
  if (!value) return NO_AMOUNT;
  const digits = value < 1e-6 ? Math.min(100, 1 - Math.floor(Math.log10(value))) : value < 0.01 ? 6 : 4;
  return `$${decimals(value, locale, digits, digits)}`;
}

/** The market cap on the cards of lists: '$0', the stored default of a record without one, stands as it is. */
export const listedMarketCap = (value: string, locale: Locale): string =>
  value === '$0' ? value : marketCap(value, locale);

/** A change as a percentage: +12,4 % or +12.4%; one that rounds to zero has no sign. */
export const change = (share: number, locale: Locale): string =>
  cachedFormat(Intl.NumberFormat, locale, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: Math.abs(share) < 1 ? 1 : 0,
  }).format(share);

/** A count without unit; `absent` when there is none. */
export const count = (value: number | null | undefined, absent: string, locale: Locale): string =>
  value === null || value === undefined ? absent : compact(value, locale);

/** A duration in the largest suitable unit, rounded up: 40 segundos, 12 minutos, 2 horas. */
export function duration(seconds: number, locale: Locale): string {
  const [unit, size] =
    seconds < 60 ? (['second', 1] as const) : seconds <= 5_400 ? (['minute', 60] as const) : (['hour', 3_600] as const);
  const options: Intl.NumberFormatOptions = { style: 'unit', unit, unitDisplay: 'long' };
  return cachedFormat(Intl.NumberFormat, locale, options).format(Math.ceil(seconds / size));
}

/** An integer with the language's thousands separators: 12.345 or 12,345. */
export const integer = (value: number | bigint, locale: Locale): string => decimals(value, locale, 0, 0);

/** An amount of money with cents, without its unit: 1.500,00 or 1,500.00. */
export const cents = (value: number, locale: Locale): string => decimals(value, locale, 2, 2);

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const HOURS = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
/** UTC where the server renders first, which does not have the reader's time zone. */
type Zone = { timeZone?: 'UTC' };

/** A calendar day, in UTC so that server and browser agree: '21 nov 2026' or 'Nov 21, 2026'. */
export const day = (iso: string, locale: Locale, zone: Zone = { timeZone: 'UTC' }): string =>
  cachedFormat(Intl.DateTimeFormat, locale, { ...DAY, ...zone })
    .format(new Date(iso))
    .replace(/\.$/, '');

/** The same without the year, where the context shows it: '21 nov' or 'Nov 21'. */
export const dayAndMonth = (iso: string, locale: Locale): string =>
  cachedFormat(Intl.DateTimeFormat, locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
    .format(new Date(iso))
    .replace(/\.$/, '');

/** A time in the reader's time zone: '21 nov 2026 a las 14:05' or 'Nov 21, 2026 at 14:05' (AMB-209). */
export const dateTime = (iso: string, locale: Locale, zone: Zone = {}): string =>
  `${day(iso, locale, zone)} ${locale === 'es' ? 'a las' : 'at'} ${cachedFormat(Intl.DateTimeFormat, locale, { ...HOURS, ...zone }).format(new Date(iso))}`;

/** The same with seconds and zone, for hovering. */
export const fullDateTime = (iso: string, locale: Locale, zone: Zone = {}): string =>
  cachedFormat(Intl.DateTimeFormat, locale, { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23', ...zone }).format(
    new Date(iso),
  );

/** The short name of the time zone: CET, GMT-3. */
export const zoneName = (iso: string, locale: Locale, zone: Zone = {}): string =>
  cachedFormat(Intl.DateTimeFormat, locale, { ...HOURS, timeZoneName: 'short', ...zone })
    .formatToParts(new Date(iso))
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** Parts of the time left until a time; null once it has passed. */
export function timeLeft(until: string, nowMs: number): { days: number; hours: number; minutes: number } | null {
  const minutes = Math.floor((new Date(until).getTime() - nowMs) / 60_000);
  if (minutes < 0 || new Date(until).getTime() <= nowMs) return null;
  return { days: Math.floor(minutes / 1_440), hours: Math.floor((minutes % 1_440) / 60), minutes: minutes % 60 };
}
