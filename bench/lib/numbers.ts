/** Rounds of each pair, after one warm-up round. There are enough candidates for four. */
export const ROUNDS = 4;

/** The value below which the share `q` of the values lies. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2;
}

/** The median of the ratios of each round: both figures of a round had the same other load on the machine. */
export const pairedRatio = (ours: readonly number[], reference: readonly number[]): number =>
  median(ours.map((value, round) => value / (reference[round] ?? Number.NaN)));

/**
 * Measures a pair alternately (A B A B A B), so that other load on the machine affects both, after a warm-up round that
 * does not count. Both get the number of the round, 0 for the warm-up.
 */
export async function interleaved<T>(
  ours: (round: number) => Promise<T>,
  reference: (round: number) => Promise<T>,
  rounds = ROUNDS,
): Promise<{ ours: T[]; reference: T[] }> {
  const measured = { ours: [] as T[], reference: [] as T[] };
  await ours(0);
  await reference(0);
  for (let round = 1; round <= rounds; round++) {
    measured.ours.push(await ours(round));
    measured.reference.push(await reference(round));
  }
  return measured;
}
