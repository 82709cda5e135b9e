import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { fromDrizzle, PgBoss } from 'pg-boss';
import { withAdvisoryLock } from '#server/db/advisory-lock.ts';
import type { Tx } from '#server/db/client.ts';
import { type JobInput, type JobName, jobs } from './catalog.ts';

/** What a handler learns about the try it is. */
export interface Try {
  jobId: string;
  /** Counted from 1. */
  attempt: number;
  last: boolean;
}

/** The job queue, in the same database as everything else. Several processes share it. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #pool: pg.Pool;
  #started: Promise<void> | undefined;
  #stopped = false;

  constructor(pool: pg.Pool, onError: (error: Error) => void) {
    this.#pool = pool;
    this.#boss = new PgBoss({
      schema: 'jobs',
      db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
    });
    this.#boss.on('error', onError);
  }

  /** Prepares tables and queues; safe to call often and from several processes. */
  start(): Promise<void> {
    // The library makes its tables outside of our migrations: two processes at once would both try.
    this.#started ??= withAdvisoryLock(this.#pool.options, 'schema', async () => {
      await this.#boss.start();
      for (const name of Object.keys(jobs) as JobName[]) {
        const { attempts, pause } = jobs[name];
        const options = { retryLimit: attempts - 1, retryBackoff: true, retryDelay: pause, retryDelayMax: 4 * 3_600 };
        await this.#boss.createQueue(name, options);
        await this.#boss.updateQueue(name, options);
      }
    });
    return this.#started;
  }

  /** Queues a job in the caller's transaction: no commit, no job. */
  async enqueue<N extends JobName>(tx: Tx, name: N, input: JobInput<N>): Promise<void> {
    await this.start();
    await this.#boss.send(name, input, { db: fromDrizzle(tx, sql) });
  }

  /** Runs a failed job once more, or forgets it, in the caller's transaction. */
  async settle(tx: Tx, name: string, id: string, decision: 'retry' | 'discard'): Promise<void> {
    await this.start();
    const options = { db: fromDrizzle(tx, sql) };
    await (decision === 'retry' ? this.#boss.retry(name, id, options) : this.#boss.deleteJob(name, id, options));
  }

  /** Has a handler do the jobs of a name, one after the other, and sets up the regular ones. */
  async work<N extends JobName>(name: N, handle: (input: JobInput<N>, about: Try) => Promise<void>): Promise<void> {
    await this.start();
    const job = jobs[name];
    await this.#boss.work(
      name,
      // While there is more than one batch, nobody waits for the next second.
      { pollingIntervalSeconds: 1, includeMetadata: true, batchSize: 5, burstWhenBatchFull: true },
      async (batch: { id: string; data: unknown; retryCount: number; retryLimit: number }[]) => {
        for (const { id, data, retryCount, retryLimit } of batch)
          await handle(job.input.parse(data ?? {}) as JobInput<N>, {
            jobId: id,
            attempt: retryCount + 1,
            last: retryCount >= retryLimit,
          });
      },
    );
    if ('cron' in job) await this.#boss.schedule(name, job.cron, {});
  }

  /** True from the moment it was asked to stop. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Lets running jobs finish, up to 5 seconds. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#started) await this.#boss.stop({ graceful: true, timeout: 5_000, close: false }).catch(() => {});
  }
}
