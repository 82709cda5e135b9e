import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds; longer than the work itself takes on a busy machine. */
const MIN_DURATION_MS = 400;

/**
 * Answers after the same time whether there was much to do or nothing, so that the time tells nobody whether an account
 * exists. Failures wait too.
 */
export async function padded<T>(work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), sleep(MIN_DURATION_MS)]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
