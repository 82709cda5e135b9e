/** Numbers that follow from a seed, so that a run can be repeated. */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  /** At least 0, below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
  /** A whole number below `max`. */
  below(max: number): number {
    return Math.floor(this.next() * max);
  }
  chance(share: number): boolean {
    return this.next() < share;
  }
  /** @throws RangeError on an empty list. */
  pick<T>(list: readonly T[]): T {
    const one = list[this.below(list.length)];
    if (list.length === 0) throw new RangeError('nothing to pick from');
    return one as T;
  }
}
