import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { fromDrizzle, PgBoss } from 'pg-boss';
import { withAdvisoryLock } from '#server/db/advisory-lock.ts';
import type { Tx } from '#server/db/client.ts';
import { type JobInput, type JobKind, type JobName, jobs, RETIRED_JOBS } from './catalog.ts';

/** What a handler learns about its attempt. */
export interface JobAttempt {
  jobId: string;
  /** Counted from 1. */
  attempt: number;
  last: boolean;
}

/** Seconds between two signs of life of a job under way. */
const HEARTBEAT_SECONDS = 10;
/** Seconds without one after which a job is anybody's again. */
export const LEASE_SECONDS = 30;
/** What the library does by itself after that: only where no attempt is left does it come to it. Seconds. */
const LIBRARY_LEASE_SECONDS = 60;
/** Seconds that one attempt may take at most, however well its process is. */
const MAX_RUN_SECONDS = 3_600;
/** Seconds that a job may wait for a server that is off. */
const RETENTION_SECONDS = 365 * 86_400;
/** The same complaint is made once in this time. Milliseconds. */
const LOG_INTERVAL_MS = 60_000;

const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** The job queue, in the same database as everything else. Several processes share it. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #pool: pg.Pool;
  readonly #onError: (error: Error) => void;
  readonly #complained = new Map<string, number>();
  #started: Promise<void> | undefined;
  #stopped = false;
  readonly #shutdownHooks: (() => Promise<void>)[] = [];
  #rounds: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  /** Rounds in time, one after the other, since the start or since the database was away; when the last one was through. */
  #onTimeRounds = 0;
  #roundAt = 0;

  constructor(pool: pg.Pool, onError: (error: Error) => void) {
    this.#pool = pool;
    this.#onError = onError;
    this.#boss = new PgBoss({
      schema: 'jobs',
      db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
      // See #supervise.
      supervise: false,
    });
    this.#boss.on('error', (error: unknown) => this.#reportError(error));
  }

  /** Prepares tables and queues; safe to call often and from several processes. */
  start(): Promise<void> {
    // The library makes its tables outside of our migrations: two processes at once would both try.
    this.#started ??= withAdvisoryLock(this.#pool.options, 'schema', async () => {
      await this.#boss.start();
      for (const name of Object.keys(jobs) as JobName[]) {
        const { attempts, retryDelaySeconds } = jobs[name];
        const options = {
          retryLimit: attempts - 1,
          retryBackoff: true,
          retryDelay: retryDelaySeconds,
          retryDelayMax: 4 * 3_600,
          heartbeatSeconds: LIBRARY_LEASE_SECONDS,
          expireInSeconds: MAX_RUN_SECONDS,
          retentionSeconds: RETENTION_SECONDS,
          // Housekeeping removes what is done. What failed waits for a person, however long.
          deleteAfterSeconds: 0,
        };
        await this.#boss.createQueue(name, options);
        await this.#boss.updateQueue(name, options);
        // Has the library remember the queue: else the first job of it would ask for a second connection, inside of the transaction that
        // queues it and with all that it has locked.
        await this.#boss.getJobById(name, NO_JOB);
      }
      for (const name of RETIRED_JOBS) await this.#retire(name);
    });
    return this.#started;
  }

  /** Ends what a name of an earlier version left, but a job under way: its process is still there. */
  async #retire(name: string): Promise<void> {
    await this.#boss.unschedule(name);
    if ((await this.#boss.getQueue(name)) === null) return;
    await this.#boss.deleteQueuedJobs(name);
    await this.#boss.deleteStoredJobs(name);
  }

  /**
   * Makes and updates the library's tables, for a role that may; the processes that work need no such right then. Indexes that
   * the library builds beside the work are waited for, ten minutes at most.
   */
  async prepare(): Promise<void> {
    await this.start();
    try {
      for (const end = performance.now() + 600_000; performance.now() < end; await sleep(1_000)) {
        const { rows } = await this.#pool.query(`select 1 from jobs.bam where status <> 'completed' limit 1`);
        if (rows.length === 0) return;
      }
    } finally {
      await this.stop();
    }
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

  /** Has a handler do the jobs of a name, each with an outcome of its own, and sets up the regular ones. */
  async work<N extends JobName>(
    name: N,
    handle: (input: JobInput<N>, about: JobAttempt) => Promise<void>,
  ): Promise<void> {
    await this.start();
    const job: JobKind = jobs[name];
    for (let i = 0; i < (job.parallel ?? 1); i++) await this.#openWorker(name, handle);
    if (job.cron) await this.#boss.schedule(name, job.cron, {});
    this.#rounds ??= setInterval(() => {
      this.#round ??= this.#supervise().finally(() => {
        this.#round = undefined;
      });
    }, HEARTBEAT_SECONDS * 1_000).unref();
  }

  /** One job after the other. */
  async #openWorker<N extends JobName>(
    name: N,
    handle: (input: JobInput<N>, about: JobAttempt) => Promise<void>,
  ): Promise<void> {
    let worker = '';
    worker = await this.#boss.work(
      name,
      // Several at a time would share one outcome: whichever failed, those that never ran failed with it.
      { pollingIntervalSeconds: 1, includeMetadata: true, batchSize: 1, heartbeatRefreshSeconds: HEARTBEAT_SECONDS },
      async ([one]: { id: string; data: unknown; retryCount: number; retryLimit: number }[]) => {
        if (!one) return;
        // The next one is looked for as soon as this one is done, not a second later.
        this.#boss.notifyWorker(worker);
        await handle(jobs[name].input.parse(one.data ?? {}) as JobInput<N>, {
          jobId: one.id,
          attempt: one.retryCount + 1,
          last: one.retryCount >= one.retryLimit,
        });
      },
    );
  }

  /**
   * Frees what processes left that are gone: at once, not after the pause that follows a failure. While the database was
   * away nobody could give a sign of life, so the first rounds after it free nothing. Then the library's own upkeep.
   */
  async #supervise(): Promise<void> {
    if (performance.now() - this.#roundAt > 2 * HEARTBEAT_SECONDS * 1_000) this.#onTimeRounds = 0;
    try {
      if (this.#onTimeRounds < 2) await this.#pool.query('select 1');
      else {
        await this.#pool.query(
          `update jobs.job set state = 'retry', start_after = now(), heartbeat_on = null
           where state = 'active' and heartbeat_on < now() - $1 * interval '1 second' and retry_count < retry_limit`,
          [LEASE_SECONDS],
        );
        await this.#boss.supervise();
      }
      this.#onTimeRounds++;
      this.#roundAt = performance.now();
    } catch (error) {
      this.#onTimeRounds = 0;
      this.#reportError(error);
    }
  }

  /** The library hands out plain objects, and with the database away the same one for each queue and second. */
  #reportError(raw: unknown): void {
    const { message, stack, ...about } = { ...(raw as object), ...messageOf(raw) };
    const last = this.#complained.get(message);
    if (last !== undefined && performance.now() - last < LOG_INTERVAL_MS) return;
    if (this.#complained.size > 100) this.#complained.clear();
    this.#complained.set(message, performance.now());
    this.#onError(raw instanceof Error ? raw : Object.assign(new Error(message), about, { stack }));
  }

  /** Has what works beside the jobs end with them. */
  onShutdown(end: () => Promise<void>): void {
    this.#shutdownHooks.push(end);
  }

  /** True from the moment it was asked to stop. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Lets running jobs finish, up to 5 seconds. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#rounds);
    await Promise.allSettled(this.#shutdownHooks.map((end) => end()));
    await this.#round;
    if (this.#started) await this.#boss.stop({ graceful: true, timeout: 5_000, close: false }).catch(() => {});
  }
}

/** Without the names of queue and worker, which the library puts behind it. */
function messageOf(raw: unknown): { message: string; stack: string } {
  const { message, stack } = (raw ?? {}) as { message?: unknown; stack?: unknown };
  return {
    message: String(message ?? raw).replace(/ \(Queue: .*\)$/s, ''),
    stack: typeof stack === 'string' ? stack : '',
  };
}
