/**
 * Groups concurrent calls into batches: calls that arrive in one iteration of the event loop, or while all workers are
 * busy, run together. There is no timer, so the batch size grows only with the duration of the work.
 *
 * @param run returns one result per item, in the same order; an Error as a result rejects only that call, a promise
 *   delays only that call, a rejection rejects the whole batch.
 * @param options.maxBatchSize items per run.
 * @param options.workers concurrent runs.
 * @param options.queue maximum number of waiting calls; further calls reject with `overflow()`.
 */
export function createBatcher<In, Out>(
  run: (items: In[]) => Promise<(Out | Error | Promise<Out>)[]>,
  options: { maxBatchSize: number; workers: number; queue: number; overflow: () => Error },
): (item: In) => Promise<Out> {
  interface Call {
    item: In;
    resolve: (value: Out | Promise<Out>) => void;
    reject: (error: unknown) => void;
  }
  let waiting: Call[] = [];
  let running = 0;
  let scheduled = false;

  function schedule() {
    if (scheduled || running >= options.workers || waiting.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      void next();
    });
  }

  async function next() {
    const calls = waiting.slice(0, options.maxBatchSize);
    waiting = waiting.slice(options.maxBatchSize);
    if (calls.length === 0) return;
    running++;
    schedule();
    try {
      const answers = await run(calls.map((call) => call.item));
      calls.forEach((call, i) => {
        const answer = answers[i];
        if (answer instanceof Error) call.reject(answer);
        else call.resolve(answer as Out | Promise<Out>);
      });
    } catch (error) {
      for (const call of calls) call.reject(error);
    } finally {
      running--;
      schedule();
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= options.queue) return reject(options.overflow());
      waiting.push({ item, resolve, reject });
      schedule();
    });
}
