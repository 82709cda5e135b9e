import type { SolvedChallenge } from '#contract/fields/challenge.ts';
import { codeOf } from './failure.ts';

/** Solves the challenge of CHALLENGE_NEEDED; about a second, in a worker. @throws Error when this browser can't. */
function solve(challenge: Record<string, unknown>): Promise<SolvedChallenge> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./challenge.worker.ts', import.meta.url), { type: 'module' });
    const end = (then: () => void) => {
      worker.terminate();
      then();
    };
    worker.onerror = () => end(() => reject(new Error('no worker')));
    worker.onmessage = ({ data }: MessageEvent<SolvedChallenge['solution'] | null>) =>
      end(() => (data ? resolve({ challenge, solution: data }) : reject(new Error('not solved'))));
    worker.postMessage(challenge);
  });
}

/**
 * Sends an anonymous write, and repeats it with a proof of work when the server requires one.
 * @throws what `send` throws; CHALLENGE_NEEDED when the challenge can't be solved.
 */
export async function withChallenge<T>(send: (solved?: SolvedChallenge) => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (codeOf(error) !== 'CHALLENGE_NEEDED') throw error;
    const { challenge } = (error as { data: { challenge: Record<string, unknown> } }).data;
    const solved = await solve(challenge).catch(() => null);
    if (!solved) throw error;
    return send(solved);
  }
}
