import display from './fonts/bricolage-grotesque.woff2?url';
import text from './fonts/inter.woff2?url';

/** The two faces of the first paint. */
const FACES: readonly string[] = [text, display];
/** Storage key of the addresses of the faces that this browser has. */
const KEY = 'florka.fonts';
/**
 * Browsers wait a tenth of a second for a font. None arrives in time over a connection whose response began later than this, or whose
 * round trip takes longer by the browser's own estimate: a document that was requested beforehand, or over an open connection, waited less.
 * Milliseconds.
 */
const SLOW_MS = 80;

/**
 * Runs in the head before the first paint. Over a fast connection, or when the browser has them, the faces of the first paint are
 * preloaded; over a slow one they could not be painted in this document, so it marks it as `<html data-fonts=later>`, for which styles name
 * the fallback faces only, and nothing is loaded but what is seen.
 */
export const firstFontsScript: string = import.meta.env.SSR
  ? `try{var f=${JSON.stringify(FACES)},n=performance.getEntriesByType('navigation')[0],c=navigator.connection;if((n&&n.responseStart-n.requestStart>${SLOW_MS}||c&&c.rtt>${SLOW_MS})&&localStorage.getItem('${KEY}')!==f.join())document.documentElement.dataset.fonts='later';else f.forEach(function(u){var l=document.createElement('link');l.rel='preload';l.as='font';l.type='font/woff2';l.crossOrigin='anonymous';l.href=u;document.head.append(l)})}catch(e){}`
  : '';

/** Stored instead of the addresses by the first document of a browser that goes without the faces. */
const WITHOUT = 'none';

/**
 * Loads the faces that this document goes without, for the next one: at once when an earlier document went without them too, otherwise with
 * the second page. Nothing is loaded for somebody who reads one page and leaves.
 *
 * @param onSecondPage calls back when the visitor opens another page of this document.
 */
export function loadFontsForNextTime(onSecondPage: (load: () => void) => void): void {
  if (document.documentElement.dataset['fonts'] !== 'later') return;
  try {
    if (localStorage.getItem(KEY) !== null) return void loadFaces();
    localStorage.setItem(KEY, WITHOUT);
    onSecondPage(() => void loadFaces());
  } catch {
    // Storage is denied: no document would know of them.
  }
}

async function loadFaces(): Promise<void> {
  try {
    const answers = await Promise.all(FACES.map((face) => fetch(face)));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    if (answers.every(({ ok }) => ok)) localStorage.setItem(KEY, FACES.join());
  } catch {
    // Without a connection: the next document decides again.
  }
}
