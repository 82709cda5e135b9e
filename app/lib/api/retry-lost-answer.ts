import { useRef } from 'react';
import { BACKOFF_MS, isLost } from './lost-answer.ts';

/**
 * Repeats a call once after its response was lost, so that a short network failure is not reported as a failed action.
 * Only for idempotent calls.
 * @param done returns the result when the refusal of the second call proves that the first one arrived.
 */
export async function retryAfterLostAnswer<T>(
  call: () => Promise<T>,
  done: (refusal: unknown) => Promise<T> | T | undefined = () => undefined,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isLost(error)) throw error;
  }
  await new Promise((over) => setTimeout(over, BACKOFF_MS));
  try {
    return await call();
  } catch (error) {
    const answer = done(error);
    if (answer === undefined) throw error;
    return answer;
  }
}

/**
 * For calls that are not idempotent: after a lost response, checks whether the call arrived.
 * @param look returns the result when it did; undefined when nothing shows it: then the network error is reported.
 */
export async function verifyAfterLostAnswer<T>(call: () => Promise<T>, look: () => Promise<T | undefined>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isLost(error)) throw error;
    await new Promise((over) => setTimeout(over, BACKOFF_MS));
    const found = await look().catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
}

/**
 * As `retryAfterLostAnswer`, for a form; also remembers the input that was sent without a response: the refusal of the next attempt may prove
 * that the earlier one arrived.
 */
export function useRetryAfterLostAnswer<Input, Output>(
  send: (input: Input) => Promise<Output>,
  done: (refusal: unknown, input: Input) => Promise<Output> | undefined,
): (input: Input) => Promise<Output> {
  const lost = useRef<string>(undefined);
  return async (input) => {
    const sent = JSON.stringify(input);
    const arrived = (refusal: unknown) => done(refusal, input);
    try {
      const output = await retryAfterLostAnswer(() => send(input), arrived).catch((error) => {
        const known = lost.current === sent ? arrived(error) : undefined;
        if (known) return known;
        throw error;
      });
      lost.current = undefined;
      return output;
    } catch (error) {
      if (isLost(error)) lost.current = sent;
      throw error;
    }
  };
}
