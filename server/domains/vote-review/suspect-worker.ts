// Thread that runs the signals (suspect-thread.ts), separate from the one that handles requests. Its only data are the messages it
// receives; it has no database connection.

import { parentPort, workerData } from 'node:worker_threads';
import type { ReviewVote } from './review-window.ts';
import { SuspectFinder, type Suspects } from './suspect-finder.policy.ts';

/** Requests to this thread, one at a time; each gets one response. */
export type SuspectQuestion = { add: readonly ReviewVote[] } | { placed: readonly number[] } | { next: true };
export type SuspectAnswer = { found: readonly Suspects[]; done: boolean };

const finder = new SuspectFinder((workerData as { max: number }).max);
let looking: Generator<Suspects[]> | null = null;

function answer(question: SuspectQuestion): SuspectAnswer {
  if ('add' in question) finder.add(question.add);
  else if ('placed' in question) finder.markClustered(question.placed);
  else {
    looking ??= finder.detect();
    for (;;) {
      const { value, done } = looking.next();
      if (done) {
        looking = null;
        return { found: [], done: true };
      }
      // Most steps find nothing and need no message.
      if (value.length > 0) return { found: value, done: false };
    }
  }
  return { found: [], done: true };
}

parentPort?.on('message', (question: SuspectQuestion) => {
  const { found, done } = answer(question);
  parentPort?.postMessage(
    { found, done } satisfies SuspectAnswer,
    found.map(({ voteIds }) => voteIds.buffer),
  );
});
