import { setTimeout as sleep } from 'node:timers/promises';

/** Between two looks. Milliseconds. */
const LOOK = 100;

/**
 * Waits until something is so.
 *
 * @param what for the message.
 * @param most longest wait in milliseconds.
 * @throws Error when it never is.
 */
export async function until(what: string, fits: () => Promise<boolean> | boolean, most = 180_000): Promise<void> {
  for (const end = Date.now() + most; ; await sleep(LOOK)) {
    if (await fits()) return;
    if (Date.now() > end) throw new Error(`not within ${most / 1000} s: ${what}`);
  }
}

/** Seconds since a moment of `performance.now()`, with one decimal. */
export const secondsSince = (began: number): number => Math.round((performance.now() - began) / 100) / 10;
