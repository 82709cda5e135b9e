import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ReviewVote } from './review-window.policy.ts';
import type { Suspects } from './suspect-finder.policy.ts';
import type { SuspectAnswer, SuspectQuestion } from './suspect-worker.ts';

/** How long a thread that nobody asks is kept. Milliseconds. */
const IDLE_MS = 600_000;
/** Memory that the thread may have for a full window and one look at it; with more it ends, not the process. MiB. */
const MEMORY = 768;

/** The signals, wherever they run. One question at a time. */
export interface SuspectSource {
  /** Whether it has what it was told; otherwise everything has to be added again. */
  readonly alive: boolean;
  /** Takes votes that were not there before. */
  add(votes: readonly ReviewVote[]): Promise<void>;
  /** These votes are in a cluster, or gone. */
  place(voteIds: readonly number[]): Promise<void>;
  /** The next piece of what the signals find in what was added; null when they are through. */
  next(): Promise<readonly Suspects[] | null>;
  end(): void;
}

interface Options {
  /** Another program, for tests. */
  program?: string;
  idle?: number;
  memory?: number;
}

/**
 * Has the signals look at votes on a thread of their own, with memory of their own. It begins with the first question, and ends
 * when nobody asks for ten minutes. It keeps no process from ending.
 *
 * @param most votes that are kept and compared.
 * @throws Error when the thread ended by itself (of the promises).
 */
export function createSuspectThread(most: number, options: Options = {}): SuspectSource {
  const { idle = IDLE_MS, memory = MEMORY } = options;
  const program = options.program ?? path.join(process.cwd(), 'server/domains/vote-review/suspect-worker.ts');
  let worker: Worker | null = null;
  let rest: NodeJS.Timeout | undefined;

  function end(): void {
    clearTimeout(rest);
    void worker?.terminate();
    worker = null;
  }

  function start(): Worker {
    const started = new Worker(program, {
      workerData: { most },
      // Nothing of our own environment, and none of our own flags.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memory },
    });
    started.unref();
    // Also where nobody waits for an answer: without a listener it would end this process.
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
          rest = setTimeout(end, idle).unref();
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
      await post({ add: votes });
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
