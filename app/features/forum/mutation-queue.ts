interface Job {
  /** The state that the user wants now. */
  mutation: boolean;
  /** The state that the server last confirmed. */
  settled: boolean;
}

interface Handlers {
  /** Sends it to the server; `newest` returns the wanted state at the time of the response. */
  send: (key: string, mutation: boolean, newest: () => boolean) => Promise<void>;
  /** The change failed: `shown` was on screen, `settled` is the confirmed state. */
  failed: (key: string, state: { shown: boolean; settled: boolean }, error: unknown) => void;
}

/**
 * Boolean changes by key, one request at a time per key: while one is in flight only the newest wanted state is stored, and it is sent
 * if it differs from the confirmed one.
 */
export class MutationQueue {
  readonly #jobs = new Map<string, Job>();
  readonly #handlers: Handlers;

  constructor(handlers: Handlers) {
    this.#handlers = handlers;
  }

  /** The wanted state, while the server has not confirmed it. */
  mutationOf(key: string): boolean | undefined {
    return this.#jobs.get(key)?.mutation;
  }

  /** True while a change whose key has this prefix is in flight. */
  isBusy(prefix: string): boolean {
    return [...this.#jobs.keys()].some((key) => key.startsWith(prefix));
  }

  /** Sets the wanted state; it is sent at once, or after the request in flight. */
  enqueue(key: string, mutation: boolean): void {
    const job = this.#jobs.get(key);
    if (job) job.mutation = mutation;
    else void this.#work(key, { mutation, settled: !mutation });
  }

  async #work(key: string, job: Job): Promise<void> {
    this.#jobs.set(key, job);
    try {
      while (job.mutation !== job.settled) {
        const { mutation } = job;
        await this.#handlers.send(key, mutation, () => job.mutation);
        job.settled = mutation;
      }
      this.#jobs.delete(key);
    } catch (error) {
      this.#jobs.delete(key);
      this.#handlers.failed(key, { shown: job.mutation, settled: job.settled }, error);
    }
  }
}
