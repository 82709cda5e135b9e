import { codeOf } from './failure.ts';

/** Before a call is made a second time. Milliseconds. */
export const PAUSE_MS = 400;

/** No answer came: the server may have done what was asked, or never have heard of it. */
export const isLost = (error: unknown): boolean => codeOf(error) === 'OFFLINE';

/** The same for mutations that only say how something shall be; arriving twice, they change nothing more. */
export const REPEATABLE = {
  retry: (failures: number, error: unknown) => failures === 0 && isLost(error),
  retryDelay: PAUSE_MS,
};
