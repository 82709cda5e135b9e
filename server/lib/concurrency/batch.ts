/**
 * Groups calls that arrive together: while one run is under way (or until the end of this turn of the event loop) calls
 * gather, then all go out at once. Nobody waits for a timer, and the group grows only as fast as the work is slow.
 *
 * @param run answers each item in its place; an Error in a place fails that call only, a throw fails the whole group.
 * @param options.most items in one run.
 * @param options.workers runs under way at once.
 * @param options.queue calls that may wait; more are refused with `overflow()`.
 */
export function createBatcher<In, Out>(
  run: (items: In[]) => Promise<(Out | Error)[]>,
  options: { maxBatchSize: number; workers: number; queue: number; overflow: () => Error },
): (item: In) => Promise<Out> {
  interface Call {
    item: In;
    resolve: (value: Out) => void;
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
        else call.resolve(answer as Out);
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
