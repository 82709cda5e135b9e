/** Delay between attempts. Milliseconds. */
const DELAY_MS = 3_000;

/** Dispatched when a part could not be loaded: release.ts checks whether the server still has this release. */
export const PART_MISSING = 'florka-part-missing';

/**
 * Loads an optional part of the page, retrying until it succeeds: a failed `lazy` part would crash the whole page when the network is
 * bad.
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

/** How long after the start of the scripts code that the first screen does not need is delayed. Milliseconds. */
const FIRST_LOAD_MS = 4_000;
const STARTED = performance.now();

/** Resolves when the first page load is over; at once on every later page. */
export async function firstLoadIsOver(): Promise<void> {
  const left = STARTED + FIRST_LOAD_MS - performance.now();
  if (left > 0) await new Promise((done) => setTimeout(done, left));
}
