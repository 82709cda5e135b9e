/** Rounds of each pair, after one round of warm-up. The candidates that the votes are for suffice for four. */
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

/** The median of the rounds' own ratios: two figures of one round met the same neighbours on the machine. */
export const pairedRatio = (ours: readonly number[], reference: readonly number[]): number =>
  median(ours.map((value, round) => value / (reference[round] ?? Number.NaN)));

/**
 * Measures a pair alternately (A B A B A B), so that a busy moment of the machine meets both, after a round that does not
 * count. Both get the number of the round, the warm-up being 0.
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
