import { isDatabaseAway } from '#server/db/failures.ts';

/**
 * Runs `work` for each item in turn. A failed item does not prevent the later ones, except when the database is
 * unreachable: then the remaining items would fail as well, and the error is thrown at once.
 *
 * @throws the error of the failed item after all items have run; an AggregateError if several failed.
 */
export async function runEachSettled<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} items failed`);
  if (failures.length === 1) throw failures[0];
}
