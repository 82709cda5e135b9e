import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MutationQueue } from './mutation-queue.ts';

/** A server with controlled responses, and the state of the screen. */
function setup() {
  const sent: boolean[] = [];
  const answers: ((error?: Error) => void)[] = [];
  const failures: { shown: boolean; settled: boolean }[] = [];
  let open = 0;
  let max = 0;
  let server = false;
  const queue = new MutationQueue({
    send: async (_key, mutation) => {
      sent.push(mutation);
      max = Math.max(max, ++open);
      try {
        await new Promise<void>((resolve, reject) => {
          answers.push((error) => (error ? reject(error) : resolve()));
        });
        server = mutation;
      } finally {
        open--;
      }
    },
    failed: (_key, state) => failures.push(state),
  });
  const answer = async (error?: Error) => {
    answers.shift()?.(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, sent, answers, failures, answer, max: () => max, server: () => server };
}

describe('the queue of mutations', () => {
  it('sends nothing more when the last requested state is the confirmed one', async () => {
    const { queue, sent, answer } = setup();
    for (const mutation of [true, false, true]) queue.enqueue('a', mutation);
    await answer();
    expect(sent).toEqual([true]);
    expect(queue.mutationOf('a')).toBeUndefined();
  });

  it('reports the shown and the confirmed state when the server refuses', async () => {
    const { queue, failures, answer } = setup();
    queue.enqueue('a', true);
    await answer(new Error('no'));
    queue.enqueue('a', true);
    queue.enqueue('a', false);
    await answer();
    await answer(new Error('no'));
    expect(failures).toEqual([
      { shown: true, settled: false },
      { shown: false, settled: true },
    ]);
    expect(queue.isBusy('a')).toBe(false);
  });

  it('ends in the last requested state, with one request at a time, for any order of clicks and answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('click', 'answer'), { maxLength: 30 }), async (steps) => {
        const { queue, answers, answer, max, server } = setup();
        let shown = false;
        for (const step of steps) {
          if (step === 'answer') await answer();
          else {
            shown = !shown;
            queue.enqueue('a', shown);
          }
        }
        while (answers.length > 0) await answer();
        expect(server()).toBe(shown);
        expect(max()).toBeLessThanOrEqual(1);
      }),
    );
  });
});
