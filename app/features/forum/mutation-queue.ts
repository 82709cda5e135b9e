interface Job {
  /** What the person wants now. */
  mutation: boolean;
  /** What the server last confirmed. */
  settled: boolean;
}

interface Handlers {
  /** Tells the server; `newest` is what is wanted by the time it answers. */
  send: (key: string, mutation: boolean, newest: () => boolean) => Promise<void>;
  /** The wish failed: `shown` was on screen, `settled` is what holds. */
  failed: (key: string, state: { shown: boolean; settled: boolean }, error: unknown) => void;
}

/**
 * Yes-or-no wishes by key, one request at a time each: while one is on its way only the newest wish is remembered, and
 * sent if it differs from what was confirmed.
 */
export class MutationQueue {
  readonly #jobs = new Map<string, Job>();
  readonly #handlers: Handlers;

  constructor(handlers: Handlers) {
    this.#handlers = handlers;
  }

  /** What the person wants, while the server has not confirmed it. */
  mutationOf(key: string): boolean | undefined {
    return this.#jobs.get(key)?.mutation;
  }

  /** Whether a wish whose key starts like this is on its way. */
  isBusy(prefix: string): boolean {
    return [...this.#jobs.keys()].some((key) => key.startsWith(prefix));
  }

  ask(key: string, mutation: boolean): void {
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
