import { isDatabaseAway, isOverLimit } from '#server/db/failures.ts';

/** Items in a row that exceed a limit, after which the database itself counts as too slow. */
const MAX_OVER_LIMIT = 3;

/**
 * Runs `work` for each item in turn. A failed item does not prevent the later ones, except when the database is unreachable or
 * several items in a row exceed a limit: then the remaining items would fail as well, and the error is thrown at once. A single
 * item that is too large for a limit is a failed item like any other.
 *
 * @throws the error of the failed item after all items have run; an AggregateError if several failed.
 */
export async function runEachSettled<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  let overLimit = 0;
  for (const item of items) {
    try {
      await work(item);
      overLimit = 0;
    } catch (error) {
      overLimit = isOverLimit(error) ? overLimit + 1 : 0;
      if (overLimit >= MAX_OVER_LIMIT || (overLimit === 0 && isDatabaseAway(error))) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} items failed`);
  if (failures.length === 1) throw failures[0];
}
