import { errorText } from '#server/lib/errors/describe-error.ts';
import { StartError } from '#server/lib/errors/start-error.ts';

/** Shutdown of a process: closes its parts once, in the reverse order of their start. */
export interface Shutdown {
  /** True as soon as the shutdown was requested. */
  readonly requested: boolean;
  /** Registers a function that undoes a step of the start. */
  onStop(close: () => unknown): void;
  /** Closes everything and ends the process with this exit code; further calls have no effect. */
  stop(code: number): Promise<void>;
  /** Prints the error (of a StartError only the message) and stops with code 1. */
  fail(error: unknown): Promise<void>;
}

/**
 * Stops this process on signals, on uncaught errors, and when the IPC channel to its parent closes: that happens when
 * `npm start` ends in any way, including SIGKILL.
 *
 * @param limit milliseconds after which the process exits even if something has not closed.
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
