/** A stored page with the bytes of its document. */
interface Stored {
  page: { body: { length: number } };
  /** Time when its data were read. Milliseconds. */
  at: number;
}

/** Pages by key. The oldest ones are removed above a number of pages, above a number of bytes, and above an age. */
export class BoundedPages<V extends Stored> {
  readonly #pages = new Map<string, V>();
  readonly #limits: { pages: number; bytes: number; ageMs: number };
  #bytes = 0;

  /** @param limits `bytes` counts plain documents; in memory are mostly their compressed forms, less than a quarter of them. */
  constructor(limits: { pages: number; bytes: number; ageMs: number }) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#pages.size;
  }

  get(key: string): V | undefined {
    return this.#pages.get(key);
  }

  /** Stores a page as the newest one. The newest one stays even if it alone is above the limits. */
  set(key: string, stored: V): void {
    this.delete(key);
    this.#pages.set(key, stored);
    this.#bytes += bytesOf(stored);
    for (const [oldest, { at }] of this.#pages) {
      const { pages, bytes, ageMs } = this.#limits;
      if (this.#pages.size <= pages && this.#bytes <= bytes && stored.at - at <= ageMs) return;
      if (oldest === key) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const stored = this.#pages.get(key);
    if (!stored) return;
    this.#pages.delete(key);
    this.#bytes -= bytesOf(stored);
  }

  clear(): void {
    this.#pages.clear();
    this.#bytes = 0;
  }

  [Symbol.iterator](): IterableIterator<[string, V]> {
    return this.#pages.entries();
  }
}

const bytesOf = ({ page }: Stored): number => page.body.length;
