// The thread on which the signals look at votes (suspect-thread.ts): requests are answered on another one. It has nothing but
// what it is told, and no way to the database.

import { parentPort, workerData } from 'node:worker_threads';
import type { ReviewVote } from './review-window.policy.ts';
import { SuspectFinder, type Suspects } from './suspect-finder.policy.ts';

/** What this thread is asked, one question after the other; each has its answer. */
export type SuspectQuestion = { add: readonly ReviewVote[] } | { placed: readonly number[] } | { next: true };
export type SuspectAnswer = { found: readonly Suspects[]; done: boolean };

const finder = new SuspectFinder((workerData as { most: number }).most);
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
      // Most pieces find nothing: not worth a message each.
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
