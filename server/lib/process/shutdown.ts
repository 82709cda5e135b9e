import { errorText } from '#server/lib/errors/describe-error.ts';
import { StartError } from '#server/lib/errors/start-error.ts';

/** How a process ends: in the reverse order of its start, once, whatever asked for it. */
export interface Shutdown {
  /** True from the moment somebody asked this process to end. */
  readonly requested: boolean;
  /** Remembers what undoes a step of the start. */
  onStop(close: () => unknown): void;
  /** Undoes the start and ends the process; a second call changes nothing. */
  stop(code: number): Promise<void>;
  /** Says what went wrong, in one sentence where the operator can act on it, and stops with code 1. */
  fail(error: unknown): Promise<void>;
}

/**
 * Stops this process on signals, on errors that nobody caught, and when the channel to its parent closes: that happens
 * when `npm start` dies in any way, kill -9 included.
 *
 * @param limit milliseconds after which the process ends although something did not close.
 */
export function handleShutdown(limit: number): Shutdown {
  const closers: (() => unknown)[] = [];
  let stopping: Promise<void> | undefined;

  async function close(code: number): Promise<void> {
    setTimeout(() => process.exit(code || 1), limit).unref();
    for (const undo of closers.toReversed()) {
      try {
        await undo();
      } catch (error) {
        console.error(errorText(error));
      }
    }
    process.exit(code);
  }
  const stop = (code: number) => {
    stopping ??= close(code);
    return stopping;
  };
  const fail = (error: unknown) => {
    console.error(error instanceof StartError ? error.message : errorText(error));
    return stop(1);
  };

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
  process.once('disconnect', () => void stop(0));
  process.on('uncaughtException', (error) => void fail(error));
  process.on('unhandledRejection', (error) => void fail(error));
  return {
    get requested() {
      return stopping !== undefined;
    },
    onStop: (undo) => void closers.push(undo),
    stop,
    fail,
  };
}
