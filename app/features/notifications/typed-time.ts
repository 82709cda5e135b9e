/** Hours and minutes in the site's format, `23:05`; also `8:30`, `8.30`, `8 h 30`, `2305`, `8`, and with `am` or `pm`. */
const TIME = /^(\d{1,2})(?:\s*[:.h]\s*([0-5]\d))?\s*(?:h(?:oras?)?\.?)?\s*(?:([ap])\.?\s?m\.?)?$/i;

/**
 * Parses a typed time of day.
 * @returns minutes since midnight, 0 to 1439; null when it is invalid.
 */
export function parseTime(typed: string): number | null {
  const text = typed.trim();
  const found = TIME.exec(/^\d{3,4}$/.test(text) ? `${text.slice(0, -2)}:${text.slice(-2)}` : text);
  if (!found) return null;
  const [, hours, minutes, half] = found;
  const hour = Number(hours);
  const minute = Number(minutes ?? 0);
  if (half) {
    if (hour < 1 || hour > 12) return null;
    return ((hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) * 60 + minute;
  }
  return hour > 23 ? null : hour * 60 + minute;
}

/** Formats minutes since midnight as `23:05`. */
export const typedTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
