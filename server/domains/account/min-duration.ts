import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds; longer than the work itself takes on a busy machine. */
const MIN_DURATION_MS = 400;

/** Pads the response time to a minimum, so that it does not reveal whether an account exists. Applies to errors too. */
export async function withMinDuration<T>(work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), sleep(MIN_DURATION_MS)]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
