import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;

/** On a machine with much other work a start has taken more than three minutes. Milliseconds. */
const TIMEOUT_MS = 600_000;

/**
 * Waits until a condition holds.
 *
 * @param what for the message.
 * @param timeoutMs maximum wait.
 * @throws Error when it does not hold in time.
 */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  for (const end = Date.now() + timeoutMs; ; await sleep(POLL_MS)) {
    if (await condition()) return;
    if (Date.now() > end) throw new Error(`not within ${timeoutMs / 1000} s: ${what}`);
  }
}

/** Seconds since a moment of `performance.now()`, with one decimal. */
export const secondsSince = (began: number): number => Math.round((performance.now() - began) / 100) / 10;
