import type { Tally } from '#contract/domains/voting.ts';
import type { Tx } from '#server/db/client.ts';
import type { FixedNow } from '#server/lib/clock.ts';
import { notifyOfTallies } from './tally.sql.ts';

/**
 * Reads the counts of candidates in this transaction and publishes them to every open screen, in one statement. Cast votes are
 * counted and published by their own statement (cast-votes.sql.ts).
 *
 * @returns the tallies of candidates that can be voted for; open screens show no others.
 */
export function publishTallies(tx: Tx, candidateIds: readonly string[], fixedNow: FixedNow): Promise<Tally[]> {
  return notifyOfTallies(tx, { candidates: candidateIds, fixedNow });
}
