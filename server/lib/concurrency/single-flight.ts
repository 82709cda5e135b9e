/**
 * Lets callers that read the same at once at the same moment share one read. Nobody gets an answer that began before the question:
 * while one read is under way, those who come wait together for the next.
 */
export function singleFlight<In, Out>(read: (input: In) => Promise<Out>): (input: In) => Promise<Out> {
  /** By question: the read under way, and the one that has not begun. */
  const running = new Map<string, Promise<unknown>>();
  const next = new Map<string, Promise<Out>>();

  async function begin(key: string, input: In): Promise<Out> {
    await running.get(key)?.catch(() => {});
    // The rest of this turn's questions join.
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
