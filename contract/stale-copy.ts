/** The empty clock in the notice of every page (app/lib/live/StaleNotice.tsx), and what the content stands in. */
const CLOCK = /(<time\b[^>]*\bdata-stale-time\b[^>]*>)[^<]*(<\/time>)/;
const CONTENT = /<fieldset(?=[^>]*\bdata-content\b)/;

/**
 * A document of earlier as it is sent while no newer one can be made, by the server, or by the service worker without a
 * connection: it says so before any script runs, tells of when it is, and nothing in it can be sent. The scripts find
 * `data-stale` and do the same (app/lib/live/stale.ts).
 *
 * @param at when its data were read. Milliseconds.
 */
export function markStale(html: string, at: number): string {
  const iso = new Date(at).toISOString();
  // The hour alone would be taken for one of today.
  const day = iso.slice(0, 10) === new Date().toISOString().slice(0, 10) ? '' : ` (${iso.slice(0, 10)})`;
  return html
    .replace('<html ', `<html data-stale="${iso}" `)
    .replace(CLOCK, `$1${iso.slice(11, 16)} UTC${day}$2`)
    .replace(CONTENT, '<fieldset disabled=""');
}
