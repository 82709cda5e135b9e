import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ReviewVote } from './review-window.ts';
import type { Suspects } from './suspect-finder.policy.ts';
import type { SuspectAnswer, SuspectQuestion } from './suspect-worker.ts';

/** Idle time after which the thread is stopped. Milliseconds. */
const IDLE_MS = 600_000;
/** The same after an evaluation of few votes: they are read again in less than a second. */
const IDLE_FEW_MS = 30_000;
const FEW = 10_000;
/** Memory limit of the thread, enough for a full window and one evaluation; beyond it the thread ends, not the process. MiB. */
const MEMORY = 768;

/** Interface of the signals, independent of where they run. One request at a time. */
export interface SuspectSource {
  /** True while the added votes are in memory; otherwise all have to be added again. */
  readonly alive: boolean;
  /** Adds new votes. */
  add(votes: readonly ReviewVote[]): Promise<void>;
  /** Marks votes that are in a cluster or no longer exist. */
  place(voteIds: readonly number[]): Promise<void>;
  /** The next findings among the added votes; null when the evaluation is complete. */
  next(): Promise<readonly Suspects[] | null>;
  end(): void;
}

interface Options {
  /** Path of another program, for tests. */
  program?: string;
  idle?: number;
  fewIdle?: number;
  memory?: number;
}

/**
 * Runs the signals in a thread with its own memory. The thread starts with the first request, and ends after ten idle minutes, or
 * half of one if it has few votes. It does not prevent the process from exiting.
 *
 * @param max number of votes that are stored and compared.
 * @throws Error when the thread ended unexpectedly (rejects the promises).
 */
export function createSuspectThread(max: number, options: Options = {}): SuspectSource {
  const { idle = IDLE_MS, fewIdle = IDLE_FEW_MS, memory = MEMORY } = options;
  const program = options.program ?? path.join(process.cwd(), 'server/domains/vote-review/suspect-worker.ts');
  let worker: Worker | null = null;
  /** Votes that the thread was given. */
  let given = 0;
  let rest: NodeJS.Timeout | undefined;

  function end(): void {
    clearTimeout(rest);
    void worker?.terminate();
    worker = null;
  }

  function start(): Worker {
    given = 0;
    const started = new Worker(program, {
      workerData: { max },
      // The thread gets neither the environment nor the flags of this process.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memory },
    });
    started.unref();
    // Registered even while no request is pending: an 'error' event without a listener would end this process.
    started.on('error', () => {});
    started.on('exit', () => {
      if (worker === started) worker = null;
    });
    return started;
  }

  function post(question: SuspectQuestion): Promise<SuspectAnswer> {
    clearTimeout(rest);
    worker ??= start();
    const target = worker;
    return new Promise((resolve, reject) => {
      const settle = (how: () => void) => {
        target.off('message', answered).off('error', failed).off('exit', gone);
        how();
      };
      const answered = (answer: SuspectAnswer) =>
        settle(() => {
          // Only after an evaluation: a new thread would not have the votes that were added before it.
          const evaluated = 'next' in question && answer.done;
          rest = setTimeout(end, evaluated && given <= FEW ? Math.min(idle, fewIdle) : idle).unref();
          resolve(answer);
        });
      const failed = (error: Error) =>
        settle(() => {
          if (worker === target) worker = null;
          reject(error);
        });
      const gone = () => failed(new Error('The thread of the signals ended'));
      target.on('message', answered).on('error', failed).on('exit', gone);
      target.postMessage(question);
    });
  }

  return {
    get alive() {
      return worker !== null;
    },
    async add(votes) {
      const answered = post({ add: votes });
      given += votes.length;
      await answered;
    },
    async place(voteIds) {
      if (voteIds.length > 0) await post({ placed: voteIds });
    },
    async next() {
      const { found, done } = await post({ next: true });
      return done ? null : found;
    },
    end,
  };
}
