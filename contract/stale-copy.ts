/** The empty clock in the notice of every page (app/lib/live/StaleNotice.tsx), and the element of the content. */
const CLOCK = /(<time\b[^>]*\bdata-stale-time\b[^>]*>)[^<]*(<\/time>)/;
const CONTENT = /<fieldset(?=[^>]*\bdata-content\b)/;

/**
 * Marks an older document that is served while no newer one can be rendered, by the server, or by the service worker when
 * offline: its notice shows the time of the data before any script runs, and its forms are disabled. The scripts detect
 * `data-stale` and do the same (app/lib/live/stale.ts).
 *
 * @param at time when its data were read. Milliseconds.
 */
export function markStale(html: string, at: number): string {
  const iso = new Date(at).toISOString();
  // Without a date, an hour of another day would be mistaken for today's.
  const day = iso.slice(0, 10) === new Date().toISOString().slice(0, 10) ? '' : ` (${iso.slice(0, 10)})`;
  return html
    .replace('<html ', `<html data-stale="${iso}" `)
    .replace(CLOCK, `$1${iso.slice(11, 16)} UTC${day}$2`)
    .replace(CONTENT, '<fieldset disabled=""');
}
