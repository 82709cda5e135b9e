/** Random numbers that follow from a seed, so that a population can be made again (mulberry32). */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** In [from, to). */
  between(from: number, to: number): number;
  int(max: number): number;
  pick<T>(list: readonly T[]): T;
  chance(p: number): boolean;
  /** Around `mean`, as heights of people are. */
  normal(mean: number, deviation: number): number;
  /** As pauses between arrivals at random are. */
  exponential(mean: number): number;
  /** As the time that people take for a form is: half below `median`, a few take very long. */
  logNormal(median: number, sigma: number): number;
  letters(length: number): string;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const normal = (mean: number, deviation: number) =>
    mean + deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const int = (max: number) => Math.floor(next() * max);
  return {
    next,
    between: (from, to) => from + next() * (to - from),
    int,
    pick: (list) => list[int(list.length)] as never,
    chance: (p) => next() < p,
    normal,
    exponential: (mean) => -mean * Math.log(1 - next()),
    logNormal: (median, sigma) => median * Math.exp(normal(0, sigma)),
    letters: (length) => Array.from({ length }, () => 'abcdefghijklmnopqrstuvwxyz'[int(26)]).join(''),
  };
}
