import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;

/** On a busy machine a start has taken more than three minutes. Milliseconds. */
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

/** Poll interval, and maximum wait for work that begins every few seconds, on a busy machine. Milliseconds. */
const WORK_POLL_MS = 2;
const WORK_TIMEOUT_MS = 60_000;

/**
 * Waits until work is in progress, and somewhat longer, so that a fault hits any point of it. Work that ends earlier is
 * waited for again, with half the delay.
 * @param find the work, or undefined while there is none.
 * @param delayMs from the time when it was found.
 * @returns the work in progress.
 * @throws Error when none is found in time: the fault would test something else.
 */
export async function duringWork<T>(
  what: string,
  find: () => Promise<T | undefined>,
  delayMs: number,
  timeoutMs = WORK_TIMEOUT_MS,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (let delay = delayMs; Date.now() <= end; await sleep(WORK_POLL_MS)) {
    if ((await find()) === undefined) continue;
    await sleep(delay);
    delay /= 2;
    const found = await find();
    if (found !== undefined) return found;
  }
  throw new Error(`not within ${timeoutMs / 1000} s: ${what}`);
}

/** Seconds since a moment of `performance.now()`, with one decimal. */
export const secondsSince = (began: number): number => Math.round((performance.now() - began) / 100) / 10;
