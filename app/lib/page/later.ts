/** Between two tries. Milliseconds. */
const DELAY_MS = 3_000;

/** Said when a part could not be loaded: release.ts looks whether the server still has this release. */
export const PART_MISSING = 'florka-part-missing';

/**
 * Loads a part of the page that can wait, as often as it takes: a `lazy` part that failed would take the whole page down, in
 * the very moment when the network is bad.
 */
export async function loadWithRetry<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch {
      dispatchEvent(new Event(PART_MISSING));
      await new Promise((done) => setTimeout(done, DELAY_MS));
    }
  }
}

/** How long after the document's start code may wait that nothing on the first screen needs. Milliseconds. */
const FIRST_LOAD_MS = 4_000;

/** Ends when the first load is over; at once on every page after the first one. */
export async function firstLoadIsOver(): Promise<void> {
  const left = FIRST_LOAD_MS - performance.now();
  if (left > 0) await new Promise((done) => setTimeout(done, left));
}
