import { codeOf } from './failure.ts';

/** Delay before a call is repeated. Milliseconds. */
export const BACKOFF_MS = 400;

/** Network error: it is unknown whether the server processed the request. */
export const isLost = (error: unknown): boolean => codeOf(error) === 'OFFLINE';

/** The same for mutations that set a state and are therefore idempotent. */
export const IDEMPOTENT_RETRY = {
  retry: (failures: number, error: unknown) => failures === 0 && isLost(error),
  retryDelay: BACKOFF_MS,
};
