import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { fromDrizzle, PgBoss } from 'pg-boss';
import { withAdvisoryLock } from '#server/db/advisory-lock.ts';
import type { Tx } from '#server/db/client.ts';
import { FORMER_NAMES, type JobInput, type JobKind, type JobName, jobs, RETIRED_JOBS } from './catalog.ts';
import { endAttempts } from './queue.sql.ts';

/** Information about its attempt for a handler. */
export interface JobAttempt {
  jobId: string;
  /** Counted from 1. */
  attempt: number;
  last: boolean;
}

/** Seconds between two heartbeats of a running job. */
const HEARTBEAT_SECONDS = 10;
/** Seconds without a heartbeat after which another process may take the job over. */
export const LEASE_SECONDS = 30;
/** The library's own limit, longer than ours: it only applies to a job without attempts left. Seconds. */
const LIBRARY_LEASE_SECONDS = 60;
/** Maximum duration of one attempt, even while its process sends heartbeats. Seconds. */
const MAX_RUN_SECONDS = 3_600;
/** Maximum time that a job waits for a worker. Seconds. */
const RETENTION_SECONDS = 365 * 86_400;
/** A repeated error is reported once within this time. Milliseconds. */
const LOG_INTERVAL_MS = 60_000;

const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** The job queue, stored in the application's database and shared by several processes. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #pool: pg.Pool;
  readonly #onError: (error: Error) => void;
  /** By message: when it was last reported. */
  readonly #reportedAt = new Map<string, number>();
  #started: Promise<void> | undefined;
  #stopped = false;
  readonly #shutdownHooks: (() => Promise<void>)[] = [];
  /** Timer of the supervision. */
  #supervision: NodeJS.Timeout | undefined;
  #supervisionRun: Promise<void> | undefined;
  /**
   * Consecutive supervision runs on schedule since the start or the last database failure, and the time of the last
   * successful one.
   */
  #onTimeRuns = 0;
  #lastRunAt = 0;

  /** The server's secret, which seals codes and links of what waits; null in a process that queues no mails. */
  readonly secret: string | null;

  constructor(pool: pg.Pool, onError: (error: Error) => void, secret: string | null = null) {
    this.#pool = pool;
    this.#onError = onError;
    this.secret = secret;
    this.#boss = new PgBoss({
      schema: 'jobs',
      db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
      // See #supervise.
      supervise: false,
    });
    this.#boss.on('error', (error: unknown) => this.#reportError(error));
  }

  /** Creates tables and queues; idempotent, and safe in several processes at once. After a failure the next call tries again. */
  start(): Promise<void> {
    this.#started ??= this.#createQueues().catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });
    return this.#started;
  }

  #createQueues(): Promise<void> {
    // The library creates its tables outside of our migrations; two processes at once would both try.
    return withAdvisoryLock(this.#pool.options, 'schema', async () => {
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
          // Housekeeping deletes completed jobs. Failed ones stay until a person decides.
          deleteAfterSeconds: 0,
        };
        await this.#boss.createQueue(name, options);
        await this.#boss.updateQueue(name, options);
        // Fills the library's cache of queues: otherwise the first `send` would need a second connection, inside of the
        // transaction that queues the job and while it holds its locks.
        await this.#boss.getJobById(name, NO_JOB);
      }
      for (const name of RETIRED_JOBS) await this.#retire(name);
    });
  }

  /** Removes the schedule and all jobs of a former name, except running ones: their process is still alive. */
  async #retire(name: string): Promise<void> {
    await this.#boss.unschedule(name);
    if ((await this.#boss.getQueue(name)) === null) return;
    await this.#boss.deleteQueuedJobs(name);
    await this.#boss.deleteStoredJobs(name);
  }

  /**
   * Creates and updates the library's tables, as a role with the right to; the working processes do not need that right
   * then. Waits for indexes that the library builds in the background, ten minutes at most.
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

  /**
   * Queues a job in the caller's transaction; it exists only if that commits.
   *
   * @param options.behind true to run it after all waiting jobs of its name that are queued without this, also later ones.
   */
  async enqueue<N extends JobName>(
    tx: Tx,
    name: N,
    input: JobInput<N>,
    { behind = false }: { behind?: boolean } = {},
  ): Promise<void> {
    await this.start();
    await this.#boss.send(name, input, { db: fromDrizzle(tx, sql), priority: behind ? -1 : 0 });
  }

  /** Makes the running attempt of a job its last one, in the caller's transaction: when it fails, the job has failed. */
  async endAttempts(tx: Tx, jobId: string): Promise<void> {
    await endAttempts(tx, { jobId });
  }

  /** Retries or deletes a failed job, in the caller's transaction. */
  async settle(tx: Tx, name: string, id: string, decision: 'retry' | 'discard'): Promise<void> {
    await this.start();
    const options = { db: fromDrizzle(tx, sql) };
    await (decision === 'retry' ? this.#boss.retry(name, id, options) : this.#boss.deleteJob(name, id, options));
  }

  /** Registers the handler of a job, each job with its own outcome, and its schedule if it has one. */
  async work<N extends JobName>(
    name: N,
    handle: (input: JobInput<N>, about: JobAttempt) => Promise<void>,
  ): Promise<void> {
    await this.start();
    const job: JobKind = jobs[name];
    for (let i = 0; i < (job.parallel ?? 1); i++) await this.#openWorker(name, name, handle);
    for (const former of FORMER_NAMES[name] ?? [])
      if ((await this.#boss.getQueue(former)) !== null) await this.#openWorker(former, name, handle);
    if (job.cron) await this.#boss.schedule(name, job.cron, {});
    this.#supervision ??= setInterval(() => {
      this.#supervisionRun ??= this.#supervise().finally(() => {
        this.#supervisionRun = undefined;
      });
    }, HEARTBEAT_SECONDS * 1_000).unref();
  }

  /**
   * Runs one job at a time.
   *
   * @param queue the current or a former name of the job.
   */
  async #openWorker<N extends JobName>(
    queue: string,
    name: N,
    handle: (input: JobInput<N>, about: JobAttempt) => Promise<void>,
  ): Promise<void> {
    let worker = '';
    worker = await this.#boss.work(
      queue,
      // Jobs of a batch would share one outcome: if one failed, those that had not run would fail with it.
      { pollingIntervalSeconds: 1, includeMetadata: true, batchSize: 1, heartbeatRefreshSeconds: HEARTBEAT_SECONDS },
      async ([one]: { id: string; data: unknown; retryCount: number; retryLimit: number }[]) => {
        if (!one) return;
        // Polls for the next job as soon as this one ends, instead of after a second.
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
   * Releases jobs of ended processes: at once, without the retry delay of a failure. During an outage of the database
   * no process can send heartbeats, so the first two runs after it release nothing. Then runs the library's own
   * maintenance.
   */
  async #supervise(): Promise<void> {
    if (performance.now() - this.#lastRunAt > 2 * HEARTBEAT_SECONDS * 1_000) this.#onTimeRuns = 0;
    try {
      if (this.#onTimeRuns < 2) await this.#pool.query('select 1');
      else {
        await this.#pool.query(
          `update jobs.job set state = 'retry', start_after = now(), heartbeat_on = null
           where state = 'active' and heartbeat_on < now() - $1 * interval '1 second' and retry_count < retry_limit`,
          [LEASE_SECONDS],
        );
        await this.#boss.supervise();
      }
      this.#onTimeRuns++;
      this.#lastRunAt = performance.now();
    } catch (error) {
      this.#onTimeRuns = 0;
      this.#reportError(error);
    }
  }

  /** The library emits plain objects, and during an outage the same one for each queue every second. */
  #reportError(raw: unknown): void {
    const { message, stack, ...about } = { ...(raw as object), ...messageAndStackOf(raw) };
    const last = this.#reportedAt.get(message);
    if (last !== undefined && performance.now() - last < LOG_INTERVAL_MS) return;
    if (this.#reportedAt.size > 100) this.#reportedAt.clear();
    this.#reportedAt.set(message, performance.now());
    this.#onError(raw instanceof Error ? raw : Object.assign(new Error(message), about, { stack }));
  }

  /** Registers work that has to end with the jobs. */
  onShutdown(end: () => Promise<void>): void {
    this.#shutdownHooks.push(end);
  }

  /** True as soon as `stop` was called. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Stops the workers; running jobs have 5 seconds to finish. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#supervision);
    await Promise.allSettled(this.#shutdownHooks.map((end) => end()));
    await this.#supervisionRun;
    if (this.#started) await this.#boss.stop({ graceful: true, timeout: 5_000, close: false }).catch(() => {});
  }
}

/** Without the names of queue and worker that the library appends. */
function messageAndStackOf(raw: unknown): { message: string; stack: string } {
  const { message, stack } = (raw ?? {}) as { message?: unknown; stack?: unknown };
  return {
    message: String(message ?? raw).replace(/ \(Queue: .*\)$/s, ''),
    stack: typeof stack === 'string' ? stack : '',
  };
}
