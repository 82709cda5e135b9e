import { isDatabaseAway } from '#server/db/failures.ts';

/**
 * Does the same with several things, one after the other. One that fails keeps none of the others from their turn; while the
 * database is away there is no turn to be had, so that ends it at once.
 *
 * @throws the failure, once everything had its turn; an AggregateError of several.
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
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} of them failed`);
  if (failures.length === 1) throw failures[0];
}
