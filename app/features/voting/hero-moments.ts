import type { Ranking, Tally } from '#contract/domains/voting.ts';

/** Maximum number of candidates named at once. */
const MAX_SHOWN = 3;

/** The hero's messages about votes since it was opened. */
export interface Moments {
  /** Candidates that gained votes, the latest first. */
  gained: readonly { id: string; name: string; votes: number; total: number }[];
  /** Name and last total of each candidate that can be named. */
  known: ReadonlyMap<string, { name: string; total: number }>;
}

/** Before any vote: the totals with which later ones are compared. */
export const startOf = (items: Ranking['items']): Moments => ({
  gained: [],
  known: new Map(items.map(({ id, tokenName, totalVotes }) => [id, { name: tokenName, total: totalVotes }])),
});

/**
 * The messages after these counts. Only increases are named: a vote that is withdrawn or put under review only updates the totals.
 * Applying the same counts twice changes nothing.
 */
export function afterTallies(before: Moments, tallies: readonly Tally[]): Moments {
  const known = new Map(before.known);
  let gained = [...before.gained];
  for (const { candidateId: id, totalVotes: total } of tallies) {
    const old = known.get(id);
    if (!old || old.total === total) continue;
    known.set(id, { name: old.name, total });
    const votes = total - old.total;
    gained = gained.filter((one) => one.id !== id);
    if (votes > 0) gained.unshift({ id, name: old.name, votes, total });
  }
  return { gained: gained.slice(0, MAX_SHOWN), known };
}
