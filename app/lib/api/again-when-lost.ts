import { useRef } from 'react';
import { isLost, PAUSE_MS } from './lost-answer.ts';

/**
 * Makes a call a second time when its answer got lost, so that a connection that broke for a moment is not told as a failure
 * of what was done. Only for calls that change nothing more when they arrive twice.
 *
 * @param done answers for the server when the refusal of the second call proves that the first one arrived.
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
  await new Promise((over) => setTimeout(over, PAUSE_MS));
  try {
    return await call();
  } catch (error) {
    const answer = done(error);
    if (answer === undefined) throw error;
    return answer;
  }
}

/**
 * For calls that would do more when they arrive twice: looks whether the one without an answer arrived.
 *
 * @param look answers for the server when it did; undefined: nothing shows it, and the loss is what is told.
 */
export async function verifyAfterLostAnswer<T>(call: () => Promise<T>, look: () => Promise<T | undefined>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isLost(error)) throw error;
    await new Promise((over) => setTimeout(over, PAUSE_MS));
    const found = await look().catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
}

/**
 * The same as `againWhenLost` for a form, which also remembers what was sent without an answer: the refusal of its next try may prove that the
 * one before arrived.
 */
export function useAgainWhenLost<Input, Output>(
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
