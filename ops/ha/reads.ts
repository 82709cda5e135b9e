import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Paths that are read; the timeout after which the next site is used, as a proxy does; and the delay between reads.
 * Milliseconds.
 */
const PATHS = ['/', '/vote', '/en/vote', '/forum', '/news'];
const TIMEOUT_MS = 4_500;
const DELAY_MS = 100;

/** One reader per path, which reads continuously from whichever site responds. */
export class Readers {
  readonly #origins: string[];
  #on = true;
  readonly #people: Promise<void>[];
  /** When each path was last read, and the longest time without a read since the last `reset`. Milliseconds. */
  readonly #last = new Map<string, number>();
  readonly #longest = new Map<string, number>();
  reads = 0;
  /** Number of these that were stale copies, marked as such. */
  copies = 0;

  constructor(origins: string[]) {
    this.#origins = origins;
    this.reset();
    this.#people = PATHS.map((path, at) => this.#read(path, at));
  }

  reset(): void {
    for (const path of PATHS) {
      this.#last.set(path, performance.now());
      this.#longest.set(path, 0);
    }
  }

  /** Longest time in which a path could not be read since the last `reset`. Seconds. */
  get longest(): number {
    for (const path of PATHS) this.#note(path);
    return Math.round(Math.max(...this.#longest.values()) / 100) / 10;
  }

  async stop(): Promise<void> {
    this.#on = false;
    await Promise.all(this.#people);
  }

  #note(path: string): void {
    const away = performance.now() - (this.#last.get(path) ?? 0);
    this.#longest.set(path, Math.max(this.#longest.get(path) ?? 0, away));
  }

  async #read(path: string, from: number): Promise<void> {
    for (let at = from; this.#on; at++) {
      const origin = this.#origins[at % this.#origins.length];
      try {
        const answer = await fetch(origin + path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
        await answer.arrayBuffer();
        if (answer.status === 200) {
          this.reads++;
          if (answer.headers.has('warning')) this.copies++;
          this.#note(path);
          this.#last.set(path, performance.now());
        }
      } catch {
        // The next site is used.
      }
      await sleep(DELAY_MS);
    }
  }
}
