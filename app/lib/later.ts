/** Between two tries. Milliseconds. */
const PAUSE = 3_000;

/**
 * Loads a part of the page that can wait, as often as it takes: a `lazy` part that failed would take the whole page down, in
 * the very moment when the network is bad.
 */
export async function later<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}
