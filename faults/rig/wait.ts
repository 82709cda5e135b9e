import { setTimeout as sleep } from 'node:timers/promises';

/** Between two looks. Milliseconds. */
const LOOK = 100;

/** On a machine with much other work a start has taken more than three minutes. Milliseconds. */
const LONGEST = 600_000;

/**
 * Waits until something is so.
 *
 * @param what for the message.
 * @param most longest wait in milliseconds.
 * @throws Error when it never is.
 */
export async function until(what: string, fits: () => Promise<boolean> | boolean, most = LONGEST): Promise<void> {
  for (const end = Date.now() + most; ; await sleep(LOOK)) {
    if (await fits()) return;
    if (Date.now() > end) throw new Error(`not within ${most / 1000} s: ${what}`);
  }
}

/** Seconds since a moment of `performance.now()`, with one decimal. */
export const secondsSince = (began: number): number => Math.round((performance.now() - began) / 100) / 10;
