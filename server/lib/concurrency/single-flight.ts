/**
 * Shares one read among concurrent callers with the same input. A caller never receives the result of a read that began
 * before its call: callers that arrive during a read share the next one.
 *
 * @param read is called once for all callers that wait; a rejection reaches all of them and is not cached.
 * @returns the shared reader. Inputs are compared by their JSON.
 */
export function singleFlight<In, Out>(read: (input: In) => Promise<Out>): (input: In) => Promise<Out> {
  /** By the input's JSON: the read in progress, and the one that has not begun. */
  const running = new Map<string, Promise<unknown>>();
  const next = new Map<string, Promise<Out>>();

  async function begin(key: string, input: In): Promise<Out> {
    await running.get(key)?.catch(() => {});
    // Callers of the same event loop iteration join this read.
    await new Promise(setImmediate);
    next.delete(key);
    const answer = read(input);
    running.set(key, answer);
    try {
      return await answer;
    } finally {
      if (running.get(key) === answer) running.delete(key);
    }
  }

  return (input) => {
    const key = JSON.stringify(input);
    const waiting = next.get(key) ?? begin(key, input);
    next.set(key, waiting);
    return waiting;
  };
}
