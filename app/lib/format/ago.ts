import { type Locale, TAG } from './format.ts';

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Relative time: 'hace 3 días'; short: 'hace 2 min'. */
export function ago(iso: string, nowMs: number, locale: Locale, style: 'long' | 'short' = 'long'): string {
  const seconds = Math.max(0, (nowMs - Date.parse(iso)) / 1_000);
  const [unit, size] = STEPS.find(([, min]) => seconds >= min) ?? ['minute', 60];
  return new Intl.RelativeTimeFormat(TAG[locale], { numeric: 'auto', style }).format(-Math.floor(seconds / size), unit);
}
