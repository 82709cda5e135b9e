import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { mergeMetrics } from './merge-metrics.ts';

/** Messages between the workers and their parent process. */
export type FromWorker = { florka: 'ready'; port: number } | { florka: 'metrics?'; request: number } | OwnMetrics;
export type ToWorker =
  | { florka: 'ownMetrics?'; request: number }
  | { florka: 'metrics'; request: number; text: string };
interface OwnMetrics {
  florka: 'ownMetrics';
  request: number;
  text: string;
}

/** Delays and limits, in milliseconds. */
const TIMES = {
  /** Delays before a worker that ended is replaced; the last one is used from the fourth time in a row on. */
  restart: [200, 1_000, 2_000, 5_000],
  /** After this lifetime a worker's restarts are counted from zero again. */
  settled: 60_000,
  /** Time limit for the metrics of a worker. */
  collect: 6_000,
};

interface Options {
  count: number;
  log: Logger;
  /** Called once, when all workers accept requests for the first time. */
  onReady: (port: number) => void;
  /** Called with its exit code when a worker ends before that: its cause would affect every further start. */
  onFailed: (code: number) => void;
}

/** The worker processes of one start. */
export interface Workers {
  /**
   * Sends SIGTERM to all workers; none is replaced any more.
   *
   * @param limit milliseconds after which the remaining ones are killed.
   */
  end(limit: number): Promise<void>;
}

/** Runs workers that share one port, and replaces those that end. They run this same program (`cluster.isWorker`). */
export function superviseWorkers({ count, log, onReady, onFailed }: Options): Workers {
  const slots = new Map<number, Slot>();
  const pending = new Map<number, Collecting>();
  let requests = 0;
  let restarted = 0;
  let ending = false;
  let announced = false;
  let gone = () => {};
  const settle = () => {
    if ([...slots.values()].every(({ worker }) => worker === null)) gone();
  };
  const kill = (signal: NodeJS.Signals) => {
    for (const { worker } of slots.values()) worker?.process.kill(signal);
  };

  const start = (number: number) => {
    const slot = slots.get(number);
    if (ending || !slot) return;
    const worker = cluster.fork();
    Object.assign(slot, { worker, ready: false, began: Date.now() });
    const onEnd = (status: number | null, signal: string | null) => {
      if (slot.worker !== worker) return;
      const { ready, began } = slot;
      slot.worker = null;
      for (const one of pending.values()) one.without(number);
      if (ending) return settle();
      if (!announced && !ready) return onFailed(status || 1);
      if (Date.now() - began > TIMES.settled) slot.deaths = 0;
      const wait = TIMES.restart[Math.min(slot.deaths++, TIMES.restart.length - 1)] ?? 0;
      restarted++;
      log.error({ worker: number, status, signal, wait }, 'a worker ended and is replaced');
      setTimeout(() => start(number), wait);
    };
    worker.on('message', (message: FromWorker) => onMessage(number, worker, message));
    worker.on('error', (error) => {
      log.warn({ err: error, worker: number }, 'worker');
      // A process that could not be created, as at the limit of processes, has no exit.
      if (worker.process.pid === undefined) onEnd(null, null);
    });
    worker.once('exit', onEnd);
  };

  const onMessage = (number: number, worker: Worker, message: FromWorker) => {
    if (message?.florka === 'ready') {
      const slot = slots.get(number);
      if (slot) slot.ready = true;
      if (announced || ![...slots.values()].every(({ ready }) => ready)) return;
      announced = true;
      onReady(message.port);
    } else if (message?.florka === 'metrics?') collect(worker, message.request);
    else if (message?.florka === 'ownMetrics') pending.get(message.request)?.take(number, message.text);
  };

  /** Collects the metrics of every worker, and sends them to the one that was scraped. */
  const collect = (worker: Worker, request: number) => {
    const id = ++requests;
    const alive = [...slots].filter(([, slot]) => slot.worker?.isConnected());
    const collecting = new Collecting(
      alive.map(([number]) => number),
      (texts) => {
        clearTimeout(late);
        pending.delete(id);
        const own = [
          '# HELP florka_workers Workers of this start that answer',
          '# TYPE florka_workers gauge',
          `florka_workers ${[...slots.values()].filter(({ ready, worker }) => ready && worker).length}`,
          '# HELP florka_workers_restarted Workers that died and were replaced',
          '# TYPE florka_workers_restarted counter',
          `florka_workers_restarted ${restarted}`,
        ];
        const text = `${mergeMetrics(texts)}${own.join('\n')}\n`;
        if (worker.isConnected()) worker.send({ florka: 'metrics', request, text } satisfies ToWorker);
      },
    );
    const late = setTimeout(() => collecting.finish(), TIMES.collect);
    pending.set(id, collecting);
    for (const [, slot] of alive) slot.worker?.send({ florka: 'ownMetrics?', request: id } satisfies ToWorker);
  };

  for (let number = 1; number <= count; number++) slots.set(number, new Slot());
  for (const number of slots.keys()) start(number);
  return {
    async end(limit) {
      ending = true;
      const all = new Promise<void>((resolve) => {
        gone = resolve;
      });
      kill('SIGTERM');
      const late = setTimeout(() => kill('SIGKILL'), limit);
      settle();
      await all;
      clearTimeout(late);
    },
  };
}

/** State of one worker number across its processes. */
class Slot {
  worker: Worker | null = null;
  ready = false;
  began = 0;
  /** Restarts in a row. */
  deaths = 0;
}

/** One collection of metrics from several workers. */
class Collecting {
  readonly #missing: Set<number>;
  readonly #texts = new Map<number, string>();
  readonly #done: (texts: ReadonlyMap<number, string>) => void;
  #over = false;

  constructor(workers: number[], done: (texts: ReadonlyMap<number, string>) => void) {
    this.#missing = new Set(workers);
    this.#done = done;
  }

  take(worker: number, text: string): void {
    if (!this.#over) this.#texts.set(worker, text);
    this.without(worker);
  }

  /** Stops waiting for this worker. */
  without(worker: number): void {
    this.#missing.delete(worker);
    if (this.#missing.size === 0) this.finish();
  }

  finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#done(this.#texts);
  }
}
